package dev.daybreak.platform.password;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stands in for Redis: the same limits, counted by this instance alone, in windows that begin for everybody at once. Remembers a
 * bounded number of counters, and lets nobody try whose counter would be one more.
 */
final class LocalAttempts {

    private static final int COUNTERS = 100_000;

    private final List<Integer> allowed;
    private final Duration window;
    private final Clock clock;
    private final Map<String, Integer> counts = new HashMap<>();
    private Instant end = Instant.MIN;

    LocalAttempts(List<Integer> allowed, Duration window, Clock clock) {
        this.allowed = allowed;
        this.window = window;
        this.clock = clock;
    }

    /** How long to wait; zero if one more may be tried, which is counted then. */
    synchronized Duration attempt(List<String> counters) {
        Instant now = clock.instant();
        if (!now.isBefore(end)) {
            counts.clear();
            end = now.plus(window);
        }
        for (int i = 0; i < counters.size(); i++) {
            int count = counts.getOrDefault(counters.get(i), 0);
            if (count >= allowed.get(i) || count == 0 && counts.size() >= COUNTERS) {
                return Duration.between(now, end);
            }
        }
        counters.forEach(counter -> counts.merge(counter, 1, Integer::sum));
        return Duration.ZERO;
    }

    synchronized void forgive(List<String> counters) {
        counters.forEach(counter -> counts.computeIfPresent(counter, (name, count) -> Math.max(0, count - 1)));
    }
}
