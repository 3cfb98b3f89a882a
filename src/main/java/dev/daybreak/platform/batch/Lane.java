package dev.daybreak.platform.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * One batch at a time: what arrives while a batch is decided makes up the next.
 *
 * <p>But no more than half of the crowd, which is those who wait and those who are just being answered. If a batch took all, the
 * database would rest until the answers have come to their clients and some have asked again, in one large batch and many tiny
 * ones behind it. In halves, one is decided while the other is answered.
 *
 * @param <W> who waits
 */
final class Lane<W> {

    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    // So few are no crowd, and a second batch would cost more than it saves.
    private static final int FEW = 16;

    private final int size;
    private final Function<List<W>, Mono<Runnable>> decide;

    private final Queue<W> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final Queue<Runnable> deliveries = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean deciding = new AtomicBoolean();
    private int answered; // changed only by who decides

    /** @param decide emits what delivers the answers of a batch; never errors */
    Lane(int size, Function<List<W>, Mono<Runnable>> decide) {
        this.size = size;
        this.decide = decide;
    }

    void add(W request) {
        queue.add(request);
        queued.incrementAndGet();
        if (deciding.compareAndSet(false, true)) {
            decideNext();
        }
    }

    private void decideNext() {
        List<W> batch = nextBatch();
        answered = batch.size();
        if (batch.isEmpty()) {
            deciding.set(false);
            if (!queue.isEmpty() && deciding.compareAndSet(false, true)) {
                decideNext();
            }
            return;
        }
        decide.apply(batch).subscribe(this::decided, failure -> LOG.error("A lane has ended", failure));
    }

    /** The next batch is under way before the answers of the last are delivered, which takes as long as its round trip. */
    private void decided(Runnable delivery) {
        deliveries.add(delivery);
        decideNext();
        for (var next = deliveries.poll(); next != null; next = deliveries.poll()) {
            next.run();
        }
    }

    private List<W> nextBatch() {
        int half = (queued.get() + answered + 1) / 2;
        int most = Math.min(size, Math.max(FEW, half));
        var batch = new ArrayList<W>();
        for (var next = queue.poll(); next != null; next = batch.size() < most ? queue.poll() : null) {
            batch.add(next);
        }
        queued.addAndGet(-batch.size());
        return batch;
    }
}
