package dev.daybreak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.resources.LoopResources;
import reactor.test.StepVerifier;

class BlockingCallsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Test
    void failOnAnEventLoop() {
        LoopResources loops = LoopResources.create("blocking-calls-test", 1, true);
        Scheduler loop = Schedulers.fromExecutor(loops.onServer(false));

        assertCaughtOn(loop);

        loops.disposeLater().block(PATIENCE);
    }

    @Test
    void failOnReactorsOwnThreads() {
        assertCaughtOn(Schedulers.parallel());
    }

    @Test
    void areAllowedWhereBlockingIsExpected() {
        StepVerifier.create(sleep().subscribeOn(Schedulers.boundedElastic()))
                .expectNext("slept")
                .expectComplete()
                .verify(PATIENCE);
    }

    private static void assertCaughtOn(Scheduler scheduler) {
        StepVerifier.create(sleep().subscribeOn(scheduler))
                .expectError(BlockingOperationError.class)
                .verify(PATIENCE);
        assertThat(BlockingCalls.drain())
                .as("noted, for the case that it is swallowed")
                .hasSize(1);
    }

    private static Mono<String> sleep() {
        return Mono.fromCallable(() -> {
            Thread.sleep(1);
            return "slept";
        });
    }
}
