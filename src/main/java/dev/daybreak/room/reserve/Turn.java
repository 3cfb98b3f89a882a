package dev.daybreak.room.reserve;

import dev.daybreak.platform.net.HomeLoop;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;

/**
 * A place in a queue. Until its transaction begins, it is given up when the caller leaves or has waited too long; after that it is
 * carried out whoever is still there.
 */
final class Turn<Q, A> {

    private static final Duration SOON = Duration.ofSeconds(1);

    private enum State {
        WAITING,
        BEGUN,
        OVER
    }

    private final Q request;
    private final MonoSink<A> sink;
    private final @Nullable Executor home = HomeLoop.current();
    private final long deadline;
    private final Runnable onOver;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final Disposable.Swap alarm = Disposables.swap();
    private volatile boolean abandoned;

    /** @param onOver runs once, when this is answered or given up */
    Turn(Q request, MonoSink<A> sink, Duration patience, Runnable onOver) {
        this.request = request;
        this.sink = sink;
        this.onOver = onOver;
        this.deadline = System.nanoTime() + patience.toNanos();
        alarm.update(Schedulers.parallel().schedule(this::tooLate, patience.toNanos(), TimeUnit.NANOSECONDS));
        sink.onCancel(this::leave);
    }

    static Refusal busy() {
        return new Refusal(Problem.of(ProblemCode.BUSY).retryAfter(SOON));
    }

    Q request() {
        return request;
    }

    /** Whether somebody still waits for it, or it has begun. */
    boolean isOpen() {
        return state.get() != State.OVER;
    }

    /** Whether its transaction may begin; from then on it is carried out. */
    boolean begin() {
        return state.compareAndSet(State.WAITING, State.BEGUN);
    }

    /** What is left of its patience; a moment at least. */
    Duration patience() {
        return Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(1), deadline - System.nanoTime()));
    }

    /** Whether it goes on waiting, as nothing has come of its transaction. */
    boolean waitsAgain() {
        state.compareAndSet(State.BEGUN, State.WAITING);
        if (abandoned) {
            leave();
        } else if (deadline - System.nanoTime() <= 0) {
            tooLate();
        }
        return isOpen();
    }

    void answer(A answer) {
        end(() -> sink.success(answer));
    }

    void fail(Throwable failure) {
        end(() -> sink.error(failure));
    }

    private void end(Runnable delivery) {
        if (state.getAndSet(State.OVER) != State.OVER) {
            over(delivery);
        }
    }

    private void tooLate() {
        if (state.compareAndSet(State.WAITING, State.OVER)) {
            over(() -> sink.error(busy()));
        }
    }

    private void leave() {
        abandoned = true;
        if (state.compareAndSet(State.WAITING, State.OVER)) {
            over(() -> {});
        }
    }

    private void over(Runnable delivery) {
        alarm.dispose();
        onOver.run();
        if (home == null || home == HomeLoop.current()) {
            delivery.run();
        } else {
            home.execute(delivery);
        }
    }
}
