package dev.daybreak.platform.batch;

import dev.daybreak.platform.sql.SqlStates;
import java.time.Duration;
import reactor.util.retry.Retry;

/** What a {@link Batcher} does about a batch that failed. */
public enum BatchFailures {

    /** Every request of the batch fails with it. */
    FAIL_ALL,

    /**
     * For a transaction: deadlocks and serialization failures are tried again, then the requests are tried one by one, so
     * that one that cannot succeed fails alone. Not when the database is away or kept the batch waiting: then one by one
     * would only take longer.
     */
    RETRY_THEN_ONE_BY_ONE;

    private static final Duration PAUSE = Duration.ofMillis(10);

    Retry retries() {
        return Retry.backoff(this == FAIL_ALL ? 0 : 3, PAUSE)
                .filter(failure -> this == RETRY_THEN_ONE_BY_ONE && SqlStates.isTransientConflict(failure))
                .onRetryExhaustedThrow((retry, last) -> last.failure());
    }

    boolean oneByOne(Throwable failure) {
        return this == RETRY_THEN_ONE_BY_ONE && !SqlStates.isUnavailable(failure) && !SqlStates.isTimeout(failure);
    }
}
