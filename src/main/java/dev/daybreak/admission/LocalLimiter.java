package dev.daybreak.admission;

import dev.daybreak.admission.Verdict.TooOften;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands in for Redis: the same limit, counted by this instance alone, in windows that begin for everybody at once. Knows no
 * full slots. Holds a bounded number of patients; those beyond are let through.
 */
final class LocalLimiter {

    private static final int PATIENTS = 100_000;

    private record Window(Instant start, Instant end, ConcurrentHashMap<Long, AtomicInteger> attempts) {

        boolean contains(Instant now) {
            return !now.isBefore(start) && now.isBefore(end);
        }
    }

    private final int attempts;
    private final Duration length;
    private final Clock clock;
    private volatile Window window;

    LocalLimiter(AdmissionSettings settings, Clock clock) {
        this.attempts = settings.attempts();
        this.length = settings.window();
        this.clock = clock;
        this.window = opened(clock.instant());
    }

    Verdict ask(long patientId) {
        Instant now = clock.instant();
        Window current = window;
        if (!current.contains(now)) {
            current = opened(now);
            window = current;
        }
        if (current.attempts().size() >= PATIENTS) {
            return Verdict.ADMITTED;
        }
        int count = current.attempts()
                .computeIfAbsent(patientId, patient -> new AtomicInteger())
                .incrementAndGet();
        return count > attempts ? new TooOften(Duration.between(now, current.end())) : Verdict.ADMITTED;
    }

    private Window opened(Instant now) {
        return new Window(now, now.plus(length), new ConcurrentHashMap<>());
    }
}
