package dev.daybreak.outbox;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

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

    private final long patience;
    private final LongSupplier nanoTime;
    private volatile long bookedAt;
    private long begunAt;
    private long restUntil;
    private long left;

    /** @param nanoTime as {@link System#nanoTime} */
    RushPause(Duration patience, LongSupplier nanoTime) {
        this.patience = patience.toNanos();
        this.left = this.patience;
        this.nanoTime = nanoTime;
        this.bookedAt = nanoTime.getAsLong() - QUIET;
        this.restUntil = bookedAt;
    }

    void booked() {
        bookedAt = nanoTime.getAsLong();
    }

    /** How many events of each partition are read now, if there are so many. */
    int portion(int batch) {
        return inRush() ? Math.max(1, batch / PORTIONS) : batch;
    }

    /** Nanoseconds until the relay should do something again; 0 if it may at once. */
    long remaining() {
        long rest = inRush() ? restUntil - nanoTime.getAsLong() : 0;
        return Math.clamp(rest, 0, QUIET);
    }

    void begin() {
        begunAt = nanoTime.getAsLong();
    }

    /** @param waited how long the oldest event had, of those that were read */
    void read(Duration waited) {
        left = Math.max(0, patience - waited.toNanos());
        worked();
    }

    /** Something that began when {@link #begin} was called last has been done. */
    void worked() {
        long now = nanoTime.getAsLong();
        long rest = (long) ((now - begunAt) * REST * ((double) left / patience));
        restUntil = now + Math.min(rest, Math.min(left, LONGEST));
    }

    private boolean inRush() {
        return left > 0 && nanoTime.getAsLong() - bookedAt < QUIET;
    }
}
