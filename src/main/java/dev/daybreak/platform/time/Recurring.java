package dev.daybreak.platform.time;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Work that is done again and again while the application runs, one time after the other with a pause between them. A failure
 * changes nothing; the log tells of it once a minute at most.
 */
public abstract class Recurring implements SmartLifecycle {

    private static final long BETWEEN_WARNINGS = Duration.ofMinutes(1).toNanos();

    private final Logger log = LoggerFactory.getLogger(getClass());
    private final String name;
    private final Duration first;
    private final Duration pause;
    private long quietUntil = System.nanoTime();
    private Disposable running = Disposables.disposed();

    /**
     * @param name what is done, as the beginning of a sentence
     * @param first from the start to the first time
     * @param pause between one time and the next; zero, and it is never done
     */
    protected Recurring(String name, Duration first, Duration pause) {
        this.name = name;
        this.first = first;
        this.pause = pause;
    }

    /** What is done each time; subscribed to anew for each. */
    protected abstract Mono<?> work();

    @Override
    public final void start() {
        if (!pause.isZero()) {
            running = Mono.delay(first)
                    .thenMany(Mono.defer(this::work)
                            .onErrorResume(failure -> Mono.fromRunnable(() -> warn(failure)))
                            .then(Mono.delay(pause))
                            .repeat())
                    .subscribe();
        }
    }

    private void warn(Throwable failure) {
        long now = System.nanoTime();
        if (now - quietUntil >= 0) {
            quietUntil = now + BETWEEN_WARNINGS;
            log.warn("{} failed, trying again every {}: {}", name, pause, failure.toString());
        }
    }

    @Override
    public final void stop() {
        running.dispose();
    }

    @Override
    public final boolean isRunning() {
        return !running.isDisposed();
    }
}
