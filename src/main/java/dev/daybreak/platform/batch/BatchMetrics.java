package dev.daybreak.platform.batch;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/** What batches of one kind of work are like. Recorded once a batch: a request in a crowd pays a hundredth of it. */
final class BatchMetrics {

    private static final Duration[] BOUNDS = Stream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final DistributionSummary size;
    private final Timer wait;
    private final Timer run;

    BatchMetrics(MeterRegistry meters, String work) {
        this.size = DistributionSummary.builder("daybreak.batch.size")
                .description("Requests that were decided together")
                .baseUnit("requests")
                .tag("work", work)
                .serviceLevelObjectives(1, 4, 16, 64, 256)
                .register(meters);
        this.wait = Timer.builder("daybreak.batch.wait")
                .description("How long the first request of a batch had waited when the batch began")
                .tag("work", work)
                .serviceLevelObjectives(BOUNDS)
                .register(meters);
        this.run = Timer.builder("daybreak.batch.run")
                .description("How long a batch took, from its beginning to its answers")
                .tag("work", work)
                .serviceLevelObjectives(BOUNDS)
                .register(meters);
    }

    /** Every attempt counts as a batch, with the waiting before it. */
    <T> Mono<T> around(Mono<T> batch, int requests, long since) {
        return Mono.defer(() -> {
            long begun = System.nanoTime();
            size.record(requests);
            wait.record(begun - since, TimeUnit.NANOSECONDS);
            return batch.doOnTerminate(() -> run.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS));
        });
    }
}
