package dev.daybreak.booking;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.sql.SqlStates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.retry.Retry;

/**
 * Gathers requests that arrive while a statement runs and hands them on as one batch, so that a crowd costs one
 * transaction at a time instead of a connection each.
 *
 * <p>Requests are spread over lanes by a number of theirs (the slot). A lane runs one batch at a time, hence two requests
 * with the same number are decided in order of arrival and never wait for each other's row lock. A request waits at
 * most for the batches before it in its lane; when {@code queueCapacity} requests wait, the next is refused at once.
 *
 * @param <Q> the request
 * @param <A> the answer
 */
final class Batcher<Q, A> {

    private static final Logger LOG = LoggerFactory.getLogger(Batcher.class);
    private static final int RETRIES = 3;
    private static final Duration RETRY_PAUSE = Duration.ofMillis(10);

    private final BatchSettings settings;
    private final ToLongFunction<Q> number;
    private final Function<List<Q>, Mono<List<A>>> work;
    private final List<Lane> lanes;
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * @param work answers a batch in one transaction, one answer a request in the same order; a failure means that
     *     nothing was done, or that doing it again finds what was done
     */
    Batcher(BatchSettings settings, ToLongFunction<Q> number, Function<List<Q>, Mono<List<A>>> work) {
        this.settings = settings;
        this.number = number;
        this.work = work;
        this.lanes =
                IntStream.range(0, settings.lanes()).mapToObj(i -> new Lane()).toList();
    }

    /**
     * Emits the answer. Errors with a {@link Refusal} (BUSY) when the queue is full, or with the failure of the statement
     * for this very request. Cold; once subscribed, the work is done even if the subscriber leaves.
     */
    Mono<A> submit(Q request) {
        return Mono.create(sink -> {
            if (waiting.incrementAndGet() > settings.queueCapacity()) {
                waiting.decrementAndGet();
                sink.error(new Refusal(Problem.of(ProblemCode.BUSY).retryAfter(Duration.ofSeconds(1))));
            } else {
                lanes.get(Math.floorMod(number.applyAsLong(request), lanes.size()))
                        .add(new Waiting<>(request, sink));
            }
        });
    }

    /** Requests that have no answer yet. */
    int waiting() {
        return waiting.get();
    }

    private record Waiting<Q, A>(Q request, MonoSink<A> sink) {}

    private final class Lane {

        private final Queue<Waiting<Q, A>> queue = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean running = new AtomicBoolean();

        void add(Waiting<Q, A> request) {
            queue.add(request);
            run();
        }

        private void run() {
            if (running.compareAndSet(false, true)) {
                Mono.defer(this::nextBatch)
                        .repeat(() -> !queue.isEmpty())
                        .doFinally(end -> {
                            running.set(false);
                            if (!queue.isEmpty()) {
                                run();
                            }
                        })
                        .subscribe(null, failure -> LOG.error("A lane of bookings failed", failure));
            }
        }

        private Mono<Void> nextBatch() {
            var batch = new ArrayList<Waiting<Q, A>>();
            for (var next = queue.poll(); next != null; next = batch.size() < settings.size() ? queue.poll() : null) {
                batch.add(next);
            }
            return batch.isEmpty() ? Mono.empty() : decide(batch);
        }
    }

    private Mono<Void> decide(List<Waiting<Q, A>> batch) {
        List<Q> requests = batch.stream().map(Waiting::request).toList();
        // Deferred, so that work which throws instead of emitting an error fails its requests too.
        return Mono.defer(() -> work.apply(requests))
                .retryWhen(Retry.backoff(RETRIES, RETRY_PAUSE)
                        .filter(SqlStates::isTransientConflict)
                        .onRetryExhaustedThrow((retry, last) -> last.failure()))
                .doOnNext(answers -> {
                    for (int i = 0; i < batch.size(); i++) {
                        waiting.decrementAndGet();
                        batch.get(i).sink().success(answers.get(i));
                    }
                })
                .then()
                .onErrorResume(failure ->
                        isOneToBlame(failure) && batch.size() > 1 ? decideEach(batch) : fail(batch, failure));
    }

    /** Whether the others of a batch may succeed without the one that made it fail. */
    private static boolean isOneToBlame(Throwable failure) {
        return !SqlStates.isUnavailable(failure) && !SqlStates.isTimeout(failure);
    }

    private Mono<Void> decideEach(List<Waiting<Q, A>> batch) {
        return Flux.fromIterable(batch)
                .concatMap(request -> decide(List.of(request)))
                .then();
    }

    private Mono<Void> fail(List<Waiting<Q, A>> batch, Throwable failure) {
        for (Waiting<Q, A> request : batch) {
            waiting.decrementAndGet();
            request.sink().error(failure);
        }
        return Mono.empty();
    }
}
