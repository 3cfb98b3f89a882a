package dev.daybreak.bench;

import dev.daybreak.bench.SeatGuard.Attempt;
import io.r2dbc.spi.R2dbcException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** A transaction that lost to another one and may be run again. */
final class Conflict extends RuntimeException {

    /** Shared, so it carries no stack trace: under load it is thrown for most attempts. */
    static final Conflict STALE_VERSION = new Conflict();

    private static final Set<String> SERIALIZATION_OR_DEADLOCK = Set.of("40001", "40P01");
    private static final int MOST_RETRIES = 200;

    private Conflict() {
        super("the slot has changed since it was read", null, false, false);
    }

    /** Runs a transaction again while it meets conflicts, at most 200 times, and counts that in its attempt. */
    static Mono<Attempt> retried(Mono<Attempt> transaction) {
        return Mono.defer(() -> {
            var retries = new AtomicInteger();
            Retry again = Retry.max(MOST_RETRIES)
                    .filter(Conflict::isConflict)
                    .doBeforeRetry(signal -> retries.incrementAndGet());
            return transaction.retryWhen(again).map(attempt -> new Attempt(attempt.booked(), retries.get()));
        });
    }

    private static boolean isConflict(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof Conflict
                    || cause instanceof R2dbcException e && SERIALIZATION_OR_DEADLOCK.contains(e.getSqlState())) {
                return true;
            }
        }
        return false;
    }
}
