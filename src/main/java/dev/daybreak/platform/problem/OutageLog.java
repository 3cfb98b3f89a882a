package dev.daybreak.platform.problem;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/** Says that the database is away once in ten seconds: every request of a rush would say the same. */
final class OutageLog {

    private static final long PAUSE = TimeUnit.SECONDS.toNanos(10);

    private final Logger log;
    private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());

    OutageLog(Logger log) {
        this.log = log;
    }

    void note(Throwable failure) {
        long now = System.nanoTime();
        long until = quietUntil.get();
        if (now - until >= 0 && quietUntil.compareAndSet(until, now + PAUSE)) {
            log.warn("The database does not answer, requests are refused with 503: {}", failure.toString());
        }
    }
}
