package dev.daybreak.booking;

import dev.daybreak.platform.sql.Detached;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Records that holds have expired, so that their seats show as free everywhere. Nobody depends on it: who wants such a seat
 * takes it. Several instances sweep side by side; each hold ends once.
 */
final class HoldSweeper implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(HoldSweeper.class);

    // Their slots are locked meanwhile, and somebody may be booking them.
    private static final int BATCH = 100;
    private static final int FAILURES_A_WARNING = 60;

    private final HoldBatch holds;
    private final Duration interval;
    private final Counter expired;
    private int failures;
    private Disposable running = Disposables.disposed();

    HoldSweeper(HoldBatch holds, Duration interval, MeterRegistry meters) {
        this.holds = holds;
        this.interval = interval;
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
    public void start() {
        if (!interval.isZero()) {
            running = Mono.delay(interval)
                    .then(Mono.defer(this::sweepOrSayWhyNot))
                    .repeat()
                    .subscribe();
        }
    }

    private Mono<Integer> sweepOrSayWhyNot() {
        return sweep().doOnNext(swept -> failures = 0).onErrorResume(failure -> {
            if (failures++ % FAILURES_A_WARNING == 0) {
                LOG.warn("Expired holds cannot be recorded, trying again every {}: {}", interval, failure.toString());
            }
            return Mono.empty();
        });
    }

    @Override
    public void stop() {
        running.dispose();
    }

    @Override
    public boolean isRunning() {
        return !running.isDisposed();
    }
}
