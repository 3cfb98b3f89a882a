package dev.daybreak.platform.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.MutableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tokens that were verified once. */
class VerifiedTokensTest {

    private static final Identity SOMEBODY = new Identity("somebody", Set.of(Role.STAFF), null, null);
    private static final Instant NOW = Instant.parse("2026-10-12T07:00:00Z");

    private final MutableClock clock = new MutableClock();
    private final VerifiedTokens tokens = new VerifiedTokens(100, clock);

    VerifiedTokensTest() {
        clock.set(NOW);
    }

    @Test
    void areKnownUntilTheyExpireAndNotAMomentLonger() {
        tokens.add("a", SOMEBODY, NOW.plusSeconds(60));

        clock.set(NOW.plusMillis(59_999));
        assertThat(tokens.find("a")).isEqualTo(SOMEBODY);
        assertThat(tokens.find("b")).isNull();
        clock.advance(Duration.ofMillis(1));
        assertThat(tokens.find("a")).isNull();
    }

    @Test
    void areBoundedAndThoseInUseStay() {
        tokens.add("in use", SOMEBODY, NOW.plusSeconds(60));
        for (int i = 0; i < 1000; i++) {
            tokens.add("token " + i, SOMEBODY, NOW.plusSeconds(60));
            assertThat(tokens.find("in use")).isNotNull();
        }

        assertThat(IntStream.range(0, 1000)
                        .filter(i -> tokens.find("token " + i) != null)
                        .count())
                .isBetween(90L, 200L);
    }

    @Test
    void areForgottenWhenTheKeysChange() {
        tokens.add("a", SOMEBODY, NOW.plusSeconds(60));

        tokens.forget();

        assertThat(tokens.find("a")).isNull();
    }
}
