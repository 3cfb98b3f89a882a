package dev.daybreak.booking;

import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.time.Recurring;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * Records that holds have expired, so that their seats show as free everywhere. Nobody depends on it: who wants such a seat
 * takes it. Several instances sweep side by side; each hold ends once.
 */
final class HoldSweeper extends Recurring {

    // Their slots are locked meanwhile, and somebody may be booking them.
    private static final int BATCH = 100;

    private final HoldBatch holds;
    private final Counter expired;

    HoldSweeper(HoldBatch holds, Duration interval, MeterRegistry meters) {
        super("Recording expired holds", interval, interval);
        this.holds = holds;
        this.expired = Counter.builder("daybreak.booking.holds.expired")
                .description("Holds ended by this instance's sweeper because they had expired")
                .baseUnit("holds")
                .register(meters);
    }

    /** Ends all holds that have expired, and emits how many that were. Safe to run at any time and anywhere. */
    Mono<Integer> sweep() {
        return Mono.defer(() -> Detached.run(holds.expire(BATCH)))
                .doOnNext(expired::increment)
                .repeat()
                .takeUntil(swept -> swept < BATCH)
                .reduce(0, Integer::sum);
    }

    @Override
    protected Mono<?> work() {
        return sweep();
    }
}
