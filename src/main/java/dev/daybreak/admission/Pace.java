package dev.daybreak.admission;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/** Lets something happen once in a while for each slot. Forgets everything when it would remember too many. */
final class Pace {

    private static final int REMEMBERED = 100_000;

    private final long pause;
    private final ConcurrentHashMap<Long, Long> latest = new ConcurrentHashMap<>();

    Pace(Duration pause) {
        this.pause = pause.toNanos();
    }

    /** Whether the pause since the last yes for this slot is over; a yes begins the next. One of many callers gets it. */
    boolean isDue(long slotId) {
        long now = System.nanoTime();
        Long last = latest.get(slotId);
        if (last != null) {
            return now - last >= pause && latest.replace(slotId, last, now);
        }
        if (latest.size() >= REMEMBERED) {
            latest.clear();
        }
        return latest.putIfAbsent(slotId, now) == null;
    }

    void forget(long slotId) {
        latest.remove(slotId);
    }
}
