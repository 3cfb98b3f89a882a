package dev.daybreak.room.hold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class HoldKeyTests {

    @Test
    void isReadFromItsTokenAndNeverTheSameTwice() {
        HoldKey key = HoldKey.random();

        assertThat(HoldKey.ofToken(key.token())).isEqualTo(key);
        assertThat(IntStream.range(0, 1_000).mapToObj(i -> HoldKey.random().token()))
                .doesNotHaveDuplicates();
        assertThat(IntStream.range(0, 1_000).mapToLong(i -> HoldKey.random().id()))
                .allSatisfy(id -> assertThat(id).isBetween(1L, 1L << 53));
    }

    @Test
    void keepsItsSecretOutOfLogsAndOfWhatIsStored() {
        HoldKey key = HoldKey.random();

        assertThat(key.toString()).doesNotContain(key.secret());
        assertThat(key.hash()).doesNotContain(key.secret()).hasSize(64);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", ".", ".abc", "abc", "12", "x1.abc", "-1.abc", "99999999999999999999.abc"})
    void anythingElseIsNoToken(String text) {
        assertThat(HoldKey.ofToken(text)).isNull();
    }
}
