package dev.daybreak.platform.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.platform.batch.BatchFailures;
import dev.daybreak.platform.batch.BatchLimits;
import dev.daybreak.platform.batch.Batcher;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.resources.LoopResources;
import reactor.test.StepVerifier;

class HomeLoopTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Test
    void aBatchIsAnsweredOnTheEventLoopsOfItsRequests() {
        LoopResources loops = new NetConfiguration().eventLoops();
        try {
            List<EventLoop> homes = StreamSupport.stream(
                            loops.onServer(LoopResources.DEFAULT_NATIVE).spliterator(), false)
                    .map(EventLoop.class::cast)
                    .toList();
            var batcher = new Batcher<Integer, Integer>(
                    new BatchLimits(1, 64, 1_000),
                    BatchFailures.FAIL_ALL,
                    Integer::longValue,
                    batch -> Mono.just(batch).publishOn(Schedulers.parallel()));

            Mono<Long> strays = Flux.range(0, 1_000)
                    .flatMap(
                            n -> {
                                EventLoop home = homes.get(n % homes.size());
                                return batcher.submit(n)
                                        .map(answer -> home.inEventLoop())
                                        .subscribeOn(Schedulers.fromExecutor(home));
                            },
                            1_000)
                    .filter(atHome -> !atHome)
                    .count();

            StepVerifier.create(strays).expectNext(0L).expectComplete().verify(PATIENCE);
        } finally {
            loops.disposeLater().block(PATIENCE);
        }
    }

    @Test
    void otherThreadsAreNobodysHome() {
        assertThat(HomeLoop.current()).isNull();
    }
}
