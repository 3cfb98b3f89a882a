package dev.daybreak.booking;

import java.time.Duration;

/**
 * When a wish came that may be carried out twice, with another one in between. It is no wish any more after a while: who got no
 * answer has repeated it, has been answered by another instance, and may have asked for something else since.
 *
 * @param nanos by {@link System#nanoTime}
 */
record Arrival(long nanos) {

    // Less than any client waits before it asks for something else.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    static Arrival now() {
        return new Arrival(System.nanoTime());
    }

    boolean isRecent() {
        return System.nanoTime() - nanos <= PATIENCE.toNanos();
    }
}
