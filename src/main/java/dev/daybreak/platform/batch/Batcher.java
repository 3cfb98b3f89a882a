package dev.daybreak.platform.batch;

import dev.daybreak.platform.net.HomeLoop;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Gathers requests that arrive while a statement runs and hands them on as one batch, so that a crowd costs one
 * transaction at a time instead of a connection each.
 *
 * <p>Requests are spread over lanes by a number of theirs (the slot). A lane runs one batch at a time, hence two requests
 * with the same number are decided in order of arrival and never wait for each other's row lock. A request waits at
 * most for the batches before it in its lane; when {@code queueCapacity} requests wait, the next
 * is refused at once. An answer is delivered on the event loop that the request came from.
 *
 * @param <Q> the request
 * @param <A> the answer
 */
public final class Batcher<Q, A> {

    private final BatchLimits limits;
    private final BatchFailures failures;
    private final ToLongFunction<Q> number;
    private final Function<List<Q>, Mono<List<A>>> work;
    private final List<Lane<Waiting<Q, A>>> lanes;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile @Nullable BatchMetrics metrics;

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
        this.lanes = Stream.generate(() -> new Lane<>(limits.size(), this::decide))
                .limit(limits.lanes())
                .toList();
    }

    /** Records the size, the waiting and the running of batches from now on, as {@code daybreak.batch.*} with this tag {@code work}. */
    public Batcher<Q, A> measuredBy(MeterRegistry meters, String work) {
        metrics = new BatchMetrics(meters, work);
        return this;
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
                        .add(new Waiting<>(request, sink, HomeLoop.current(), System.nanoTime()));
            }
        });
    }

    /** Requests that have no answer yet. */
    public int waiting() {
        return waiting.get();
    }

    private record Waiting<Q, A>(
            Q request, MonoSink<A> sink, @Nullable Executor home, long since) {}

    /** Emits what delivers the answers or the failures; never errors. */
    private Mono<Runnable> decide(List<Waiting<Q, A>> batch) {
        List<Q> requests = batch.stream().map(Waiting::request).toList();
        Mono<List<A>> answered = Mono.defer(() -> work.apply(requests));
        BatchMetrics measured = metrics;
        return (measured == null
                        ? answered
                        : measured.around(
                                answered, batch.size(), batch.getFirst().since()))
                .retryWhen(failures.retries())
                .switchIfEmpty(Mono.error(() -> new IllegalStateException("No answers")))
                .<Runnable>map(answers -> delivery(batch, answers))
                .onErrorResume(failure -> batch.size() > 1 && failures.oneByOne(failure)
                        ? decideEach(batch)
                        : Mono.just(failure(batch, failure)));
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
        var delivery = new Delivery();
        for (int i = 0; i < batch.size(); i++) {
            Waiting<Q, A> request = batch.get(i);
            A answer = answers.get(i);
            delivery.add(request.home(), () -> {
                waiting.decrementAndGet();
                request.sink().success(answer);
            });
        }
        return delivery;
    }

    private Runnable failure(List<Waiting<Q, A>> batch, Throwable failure) {
        var delivery = new Delivery();
        for (Waiting<Q, A> request : batch) {
            delivery.add(request.home(), () -> {
                waiting.decrementAndGet();
                request.sink().error(failure);
            });
        }
        return delivery;
    }
}
