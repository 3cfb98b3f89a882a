package dev.daybreak.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RushPauseTest {

    private long now = Long.MAX_VALUE - 1_000; // whence System.nanoTime may count
    private final RushPause pause = new RushPause(Duration.ofMinutes(1), () -> now);

    @Test
    void doesNotRestWhenNothingIsBooked() {
        work(Duration.ofMillis(5), Duration.ZERO);

        assertThat(pause.remaining()).isZero();
        assertThat(pause.portion(200)).isEqualTo(200);
    }

    @Test
    void restsNineteenTimesAsLongAsItWorkedAndTakesLittleAtATimeInARush() {
        pause.booked();
        work(Duration.ofMillis(5), Duration.ZERO);

        assertThat(pause.remaining()).isEqualTo(millis(95));
        pass(Duration.ofMillis(94));
        assertThat(pause.remaining()).isEqualTo(millis(1));
        pass(Duration.ofMillis(1));
        assertThat(pause.remaining()).isZero();
        assertThat(pause.portion(200)).isEqualTo(25);
        assertThat(pause.portion(1)).isEqualTo(1);
    }

    @Test
    void looksAgainWhetherTheRushHasPassedBeforeALongRestIsOver() {
        pause.booked();
        work(Duration.ofMillis(50), Duration.ZERO);

        assertThat(pause.remaining()).isEqualTo(millis(250));
        pass(Duration.ofMillis(250));
        assertThat(pause.remaining()).isZero();
    }

    @Test
    void countsWhatWasDeliveredAfterTheReadingToo() {
        pause.booked();
        work(Duration.ofMillis(5), Duration.ZERO);
        pass(Duration.ofMillis(3));

        pause.worked();

        assertThat(pause.remaining()).isEqualTo(millis(8 * 19));
    }

    @Test
    void restsLessTheLongerEventsHaveWaitedAndInTheEndNotAtAll() {
        pause.booked();
        work(Duration.ofMillis(10), Duration.ofSeconds(30));
        assertThat(pause.remaining()).isEqualTo(millis(95));

        pause.booked();
        work(Duration.ofMillis(10), Duration.ofSeconds(60));
        assertThat(pause.remaining()).isZero();
        assertThat(pause.portion(200)).isEqualTo(200);
    }

    @Test
    void letsNoEventWaitLongerThanItsPatienceForTheRest() {
        var hasty = new RushPause(Duration.ofMillis(100), () -> now);
        hasty.booked();
        hasty.begin();
        pass(Duration.ofMillis(50));
        hasty.read(Duration.ofMillis(20));
        assertThat(hasty.remaining()).isEqualTo(millis(80));
    }

    @Test
    void neverRestsWithoutPatience() {
        var none = new RushPause(Duration.ZERO, () -> now);
        none.booked();
        none.begin();
        pass(Duration.ofMillis(5));
        none.read(Duration.ZERO);

        assertThat(none.remaining()).isZero();
    }

    private void work(Duration length, Duration waited) {
        pause.begin();
        pass(length);
        pause.read(waited);
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
