package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class IdempotencyKeyTest {

    static Stream<String> keys() {
        return Stream.concat(
                IntStream.rangeClosed('!', '~').mapToObj(Character::toString),
                Stream.of("x".repeat(64), "3f0c1a52-7d0e-4a55-9d0f-2f6a7c1b9e11", "a,b;c=d", "\"quoted\""));
    }

    static Stream<String> others() {
        return Stream.of(
                "",
                " ",
                " key",
                "key ",
                "two words",
                "tab\t",
                "line\n",
                "nul\u0000",
                "\u007f",
                "\u0080",
                "schlüssel",
                "키",
                "🔑",
                "x".repeat(65));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void isAnyVisibleAscii(String value) {
        assertThat(IdempotencyKey.isValid(value)).isTrue();
        assertThat(new IdempotencyKey(value).value()).isEqualTo(value);
    }

    @ParameterizedTest
    @MethodSource("others")
    void isNothingElse(String value) {
        assertThat(IdempotencyKey.isValid(value)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> new IdempotencyKey(value));
    }
}
