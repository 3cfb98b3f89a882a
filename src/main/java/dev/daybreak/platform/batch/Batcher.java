package dev.daybreak.platform.batch;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
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
public final class Batcher<Q, A> {

    private static final Logger LOG = LoggerFactory.getLogger(Batcher.class);

    private final BatchLimits limits;
    private final BatchFailures failures;
    private final ToLongFunction<Q> number;
    private final Function<List<Q>, Mono<List<A>>> work;
    private final List<Lane> lanes;
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * @param work answers a batch in one transaction, one answer a request in the same order; a failure means that
     *     nothing was done, or that doing it again finds what was done
     */
    public Batcher(
            BatchLimits limits,
            BatchFailures failures,
            ToLongFunction<Q> number,
            Function<List<Q>, Mono<List<A>>> work) {
        this.limits = limits;
        this.failures = failures;
        this.number = number;
        this.work = work;
        this.lanes =
                IntStream.range(0, limits.lanes()).mapToObj(i -> new Lane()).toList();
    }

    /**
     * Emits the answer. Errors with a {@link Refusal} (BUSY) when the queue is full, or with the failure of the statement
     * for this very request. Cold; once subscribed, the work is done even if the subscriber leaves.
     */
    public Mono<A> submit(Q request) {
        return Mono.create(sink -> {
            if (waiting.incrementAndGet() > limits.queueCapacity()) {
                waiting.decrementAndGet();
                sink.error(new Refusal(Problem.of(ProblemCode.BUSY).retryAfter(Duration.ofSeconds(1))));
            } else {
                lanes.get(Math.floorMod(number.applyAsLong(request), lanes.size()))
                        .add(new Waiting<>(request, sink));
            }
        });
    }

    /** Requests that have no answer yet. */
    public int waiting() {
        return waiting.get();
    }

    private record Waiting<Q, A>(Q request, MonoSink<A> sink) {}

    private final class Lane {

        private final Queue<Waiting<Q, A>> queue = new ConcurrentLinkedQueue<>();
        private final Queue<Runnable> deliveries = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean running = new AtomicBoolean();

        void add(Waiting<Q, A> request) {
            queue.add(request);
            run();
        }

        private void run() {
            if (running.compareAndSet(false, true)) {
                runNext();
            }
        }

        /** The next batch is under way before the answers of the last are delivered, which takes as long as its round trip. */
        private void runNext() {
            List<Waiting<Q, A>> batch = nextBatch();
            if (batch.isEmpty()) {
                running.set(false);
                if (!queue.isEmpty()) {
                    run();
                }
                return;
            }
            decide(batch).subscribe(this::settled, failure -> LOG.error("A lane has ended", failure));
        }

        private void settled(Runnable delivery) {
            deliveries.add(delivery);
            runNext();
            for (var next = deliveries.poll(); next != null; next = deliveries.poll()) {
                next.run();
            }
        }

        private List<Waiting<Q, A>> nextBatch() {
            var batch = new ArrayList<Waiting<Q, A>>();
            for (var next = queue.poll(); next != null; next = batch.size() < limits.size() ? queue.poll() : null) {
                batch.add(next);
            }
            return batch;
        }
    }

    /** Emits what delivers the answers or the failures; never errors. */
    private Mono<Runnable> decide(List<Waiting<Q, A>> batch) {
        List<Q> requests = batch.stream().map(Waiting::request).toList();
        return Mono.defer(() -> work.apply(requests))
                .retryWhen(failures.retries())
                .switchIfEmpty(Mono.error(() -> new IllegalStateException("No answers")))
                .<Runnable>map(answers -> delivery(batch, answers))
                .onErrorResume(failure -> batch.size() > 1 && failures.oneByOne(failure)
                        ? decideEach(batch)
                        : Mono.just(() -> fail(batch, failure)));
    }

    private Mono<Runnable> decideEach(List<Waiting<Q, A>> batch) {
        return Flux.fromIterable(batch)
                .concatMap(request -> decide(List.of(request)))
                .collectList()
                .map(deliveries -> () -> deliveries.forEach(Runnable::run));
    }

    private Runnable delivery(List<Waiting<Q, A>> batch, List<A> answers) {
        if (answers.size() != batch.size()) {
            throw new IllegalStateException(answers.size() + " answers to " + batch.size() + " requests");
        }
        return () -> {
            for (int i = 0; i < batch.size(); i++) {
                waiting.decrementAndGet();
                batch.get(i).sink().success(answers.get(i));
            }
        };
    }

    private void fail(List<Waiting<Q, A>> batch, Throwable failure) {
        for (Waiting<Q, A> request : batch) {
            waiting.decrementAndGet();
            request.sink().error(failure);
        }
    }
}
