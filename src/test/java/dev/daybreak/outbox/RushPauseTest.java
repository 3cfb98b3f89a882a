package dev.daybreak.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class RushPauseTest {

    private final RushPause pause = new RushPause(Duration.ofMinutes(1));

    @Test
    void doesNotRestWhenNothingIsBooked() {
        work(Duration.ZERO);

        assertThat(pause.remaining()).isZero();
        assertThat(pause.portion(200)).isEqualTo(200);
    }

    @Test
    void restsFarLongerThanItWorkedAndTakesLittleAtATimeInARush() {
        pause.booked();
        work(Duration.ZERO);

        assertThat(pause.remaining()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(80));
        assertThat(pause.portion(200)).isEqualTo(25);
        assertThat(pause.portion(1)).isEqualTo(1);
    }

    @Test
    void countsWhatWasDeliveredAfterTheReadingToo() {
        pause.booked();
        work(Duration.ofSeconds(59));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
        pause.booked();
        assertThat(pause.remaining()).isZero();

        pause.worked();

        assertThat(pause.remaining()).isPositive();
    }

    @Test
    void restsLessTheLongerEventsHaveWaitedAndInTheEndNotAtAll() {
        pause.booked();
        work(Duration.ofSeconds(54));
        assertThat(pause.remaining()).isBetween(1L, TimeUnit.MILLISECONDS.toNanos(80));

        pause.booked();
        work(Duration.ofSeconds(60));
        assertThat(pause.remaining()).isZero();
        assertThat(pause.portion(200)).isEqualTo(200);
    }

    @Test
    void neverRestsWithoutPatience() {
        var none = new RushPause(Duration.ZERO);
        none.booked();
        none.begin();
        none.read(Duration.ZERO);

        assertThat(none.remaining()).isZero();
    }

    private void work(Duration waited) {
        pause.begin();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        pause.read(waited);
    }
}
