package dev.daybreak.availability;

import dev.daybreak.availability.day.DoctorDay;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which days have a tombstone of this instance in Redis. A day under fire needs one every half second, not one for every
 * booking: a tombstone that stands at least {@link #REPEAT} longer covers the next change as well.
 */
final class Tombstones {

    static final Duration LIFE = Duration.ofSeconds(1);
    static final Duration REPEAT = Duration.ofMillis(500);

    private static final int MAX = 50_000;

    private final Map<DoctorDay, Long> laid = new ConcurrentHashMap<>();
    private final AtomicLong lastSweep = new AtomicLong(System.nanoTime());

    /** Whether a tombstone has to be written; if so it counts as written from now on. */
    boolean lay(DoctorDay day) {
        long now = System.nanoTime();
        Long last = laid.get(day);
        if (last != null && now - last < REPEAT.toNanos()) {
            return false;
        }
        sweep(now);
        if (laid.size() < MAX) {
            laid.put(day, now);
        }
        return true;
    }

    void forget(DoctorDay day) {
        laid.remove(day);
    }

    /** Whether Redis need not be asked, since it has a tombstone for an answer. */
    boolean stands(DoctorDay day) {
        Long last = laid.get(day);
        return last != null && System.nanoTime() - last < LIFE.toNanos();
    }

    private void sweep(long now) {
        long last = lastSweep.get();
        if (now - last > LIFE.toNanos() && lastSweep.compareAndSet(last, now)) {
            laid.values().removeIf(time -> now - time > LIFE.toNanos());
        }
    }
}
