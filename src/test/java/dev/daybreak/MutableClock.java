package dev.daybreak;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;

/** Goes with the machine's time until it is set; then it stands still but for what it is advanced by. */
public final class MutableClock extends Clock {

    private final ZoneId zone;
    private volatile Supplier<Instant> now;

    public MutableClock() {
        this(ZoneOffset.UTC, MutableClock::machine);
    }

    private MutableClock(ZoneId zone, Supplier<Instant> now) {
        this.zone = zone;
        this.now = now;
    }

    public void set(Instant instant) {
        now = () -> instant;
    }

    public synchronized void advance(Duration duration) {
        set(instant().plus(duration));
    }

    public void reset() {
        now = MutableClock::machine;
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    @Override
    public Clock withZone(ZoneId other) {
        return new MutableClock(other, this::instant);
    }

    private static Instant machine() {
        return Instant.now().truncatedTo(ChronoUnit.MICROS);
    }
}
