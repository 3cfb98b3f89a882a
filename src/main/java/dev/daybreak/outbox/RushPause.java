package dev.daybreak.outbox;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How the relay keeps out of the way of a rush of bookings of this instance: it takes little at a time and then rests far longer than
 * that took. The longer events have waited the shorter it rests, and after {@code patience} there is no rush for it any more.
 *
 * <p>Belongs to the thread of the relay, but for {@link #booked}.
 */
final class RushPause {

    // A rush has passed when nothing was booked for so long. Batches come every few milliseconds in it.
    private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(250);
    // Work and rest are 20 parts together, of which the rush has 19.
    private static final int REST = 19;
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(2);
    // What is read at once is delivered at once, and on a small machine nothing is booked meanwhile.
    private static final int PORTIONS = 8;

    private final Duration patience;
    private volatile long bookedAt = System.nanoTime() - QUIET;
    private long begunAt;
    private long restUntil;
    private double leisure = 1;

    RushPause(Duration patience) {
        this.patience = patience;
        this.restUntil = bookedAt;
    }

    void booked() {
        bookedAt = System.nanoTime();
    }

    /** How many events of each partition are read now, if there are so many. */
    int portion(int batch) {
        return inRush() ? Math.max(1, batch / PORTIONS) : batch;
    }

    /** Nanoseconds until the relay should do something again; 0 if it may at once. */
    long remaining() {
        long rest = inRush() ? restUntil - System.nanoTime() : 0;
        return Math.clamp(rest, 0, QUIET);
    }

    void begin() {
        begunAt = System.nanoTime();
    }

    /** @param waited how long the oldest event had, of those that were read */
    void read(Duration waited) {
        leisure = patience.compareTo(waited) <= 0 ? 0 : 1 - (double) waited.toMillis() / patience.toMillis();
        worked();
    }

    /** Something that began when {@link #begin} was called last has been done. */
    void worked() {
        long now = System.nanoTime();
        restUntil = now + Math.min(LONGEST, (long) ((now - begunAt) * REST * leisure));
    }

    private boolean inRush() {
        return leisure > 0 && System.nanoTime() - bookedAt < QUIET;
    }
}
