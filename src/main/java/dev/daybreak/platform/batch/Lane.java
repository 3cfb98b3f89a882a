package dev.daybreak.platform.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * One batch at a time: what arrives while a batch is decided makes up the next.
 *
 * <p>After a large batch the lane gathers until half as many have come, or its patience is over. Without that, a crowd that
 * waits for its answers falls into one large batch and many tiny ones behind it, each of which costs a commit.
 *
 * @param <W> who waits
 */
final class Lane<W> {

    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    private enum State {
        IDLE,
        GATHERING,
        DECIDING
    }

    private final int size;
    private final Duration patience;
    private final Function<List<W>, Mono<Runnable>> decide;

    private final Queue<W> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final Queue<Runnable> deliveries = new ConcurrentLinkedQueue<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
    private volatile int worthwhile;

    /** @param decide emits what delivers the answers of a batch; never errors */
    Lane(int size, Duration patience, Function<List<W>, Mono<Runnable>> decide) {
        this.size = size;
        this.patience = patience;
        this.decide = decide;
    }

    void add(W request) {
        queue.add(request);
        int waiting = queued.incrementAndGet();
        if (state.compareAndSet(State.IDLE, State.DECIDING)) {
            decideNext();
        } else if (waiting >= worthwhile) {
            stopGathering();
        }
    }

    private void stopGathering() {
        if (state.compareAndSet(State.GATHERING, State.DECIDING)) {
            decideNext();
        }
    }

    private void decideNext() {
        List<W> batch = nextBatch();
        worthwhile = patience.isZero() ? 0 : batch.size() / 2;
        if (batch.isEmpty()) {
            state.set(State.IDLE);
            if (!queue.isEmpty() && state.compareAndSet(State.IDLE, State.DECIDING)) {
                decideNext();
            }
            return;
        }
        decide.apply(batch).subscribe(this::decided, failure -> LOG.error("A lane has ended", failure));
    }

    /** The next batch is under way before the answers of the last are delivered, which takes as long as its round trip. */
    private void decided(Runnable delivery) {
        deliveries.add(delivery);
        if (queued.get() >= worthwhile) {
            decideNext();
        } else {
            gather();
        }
        for (var next = deliveries.poll(); next != null; next = deliveries.poll()) {
            next.run();
        }
    }

    private void gather() {
        state.set(State.GATHERING);
        if (queued.get() >= worthwhile) {
            stopGathering();
        } else {
            Schedulers.parallel().schedule(this::stopGathering, patience.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private List<W> nextBatch() {
        var batch = new ArrayList<W>();
        for (var next = queue.poll(); next != null; next = batch.size() < size ? queue.poll() : null) {
            batch.add(next);
        }
        queued.addAndGet(-batch.size());
        return batch;
    }
}
