package dev.daybreak.room.reserve;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.room.RoomSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * A queue for each room: who comes first is served first, and rooms do not wait for each other. Waiting costs a place in memory,
 * and neither a connection nor a thread. The first few of a queue are served together, and whoever is then still without
 * an answer stays in front.
 *
 * @param <Q> what is asked for
 * @param <A> the answer
 */
final class RoomQueues<Q, A> implements Disposable {

    /** More would only make the first wait for the last of them. */
    private static final int TOGETHER = 32;

    /** PostgreSQL ends statements much sooner; what takes so long has lost its connection without anybody noticing. */
    private static final Duration LOST = Duration.ofMinutes(1);

    private static final Duration SOON = Duration.ofSeconds(3);

    private final RoomSettings settings;
    private final Predicate<Q> alone;
    private final BiFunction<Long, List<Turn<Q, A>>, Mono<Void>> work;
    private final ConcurrentHashMap<Long, Deque<Turn<Q, A>>> queues = new ConcurrentHashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean disposed;

    /**
     * @param alone whether a request is served by itself
     * @param work answers those of the turns that can be answered, the first of them at least; completes when it is done with them
     */
    RoomQueues(RoomSettings settings, Predicate<Q> alone, BiFunction<Long, List<Turn<Q, A>>, Mono<Void>> work) {
        this.settings = settings;
        this.alone = alone;
        this.work = work;
    }

    /**
     * Emits the answer. Errors with BUSY when too many wait or when the turn has not come in time, and with the failure of the work.
     * Cold. A subscriber who leaves gives the place up, unless its transaction has begun.
     */
    Mono<A> submit(long room, Q request) {
        return Mono.create(sink -> {
            if (waiting.incrementAndGet() > settings.queueCapacity() || disposed) {
                waiting.decrementAndGet();
                sink.error(Turn.busy());
            } else {
                enter(room, new Turn<>(request, sink, settings.longestWait(), waiting::decrementAndGet));
            }
        });
    }

    /** Requests that have no answer yet. */
    int waiting() {
        return waiting.get();
    }

    // A queue is there exactly while it is served.
    private void enter(long room, Turn<Q, A> turn) {
        var isFirst = new AtomicBoolean();
        queues.compute(room, (id, queue) -> {
            isFirst.set(queue == null);
            Deque<Turn<Q, A>> joined = queue == null ? new ArrayDeque<>() : queue;
            joined.addLast(turn);
            return joined;
        });
        if (isFirst.get()) {
            Mono.defer(() -> serveNext(room)).repeat().takeWhile(more -> more).subscribe();
        }
    }

    /** Emits whether there was anybody to serve; never errors. */
    private Mono<Boolean> serveNext(long room) {
        List<Turn<Q, A>> turns = next(room);
        if (turns.isEmpty()) {
            return Mono.just(false);
        }
        return Detached.run(Mono.defer(() -> work.apply(room, turns)))
                .timeout(
                        LOST,
                        Mono.error(() ->
                                new Refusal(Problem.of(ProblemCode.UNAVAILABLE).retryAfter(SOON))))
                .onErrorResume(failure -> Mono.fromRunnable(() -> turns.forEach(turn -> turn.fail(failure))))
                .then(Mono.fromSupplier(() -> {
                    putBack(room, turns);
                    return true;
                }));
    }

    private List<Turn<Q, A>> next(long room) {
        var turns = new ArrayList<Turn<Q, A>>();
        queues.compute(room, (id, queue) -> queue == null || !take(queue, turns) ? null : queue);
        return turns;
    }

    private boolean take(Deque<Turn<Q, A>> queue, List<Turn<Q, A>> turns) {
        for (Turn<Q, A> turn = queue.peekFirst(); turn != null; turn = queue.peekFirst()) {
            boolean single = alone.test(turn.request());
            if (turn.isOpen() && !turns.isEmpty() && (single || turns.size() >= TOGETHER)) {
                break;
            }
            queue.removeFirst();
            if (turn.isOpen()) {
                turns.add(turn);
                if (single) {
                    break;
                }
            }
        }
        return !turns.isEmpty();
    }

    private void putBack(long room, List<Turn<Q, A>> turns) {
        List<Turn<Q, A>> open = turns.stream().filter(Turn::waitsAgain).toList();
        queues.computeIfPresent(room, (id, queue) -> {
            open.reversed().forEach(queue::addFirst);
            return queue;
        });
    }

    /** Takes nobody in any more, and refuses those who wait; what has begun is carried out. */
    @Override
    public void dispose() {
        disposed = true;
        var refused = new ArrayList<Turn<Q, A>>();
        queues.keySet()
                .forEach(room -> queues.computeIfPresent(room, (id, queue) -> {
                    refused.addAll(queue);
                    return queue;
                }));
        refused.forEach(turn -> turn.fail(Turn.busy()));
    }

    @Override
    public boolean isDisposed() {
        return disposed;
    }
}
