package dev.daybreak.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/** Removes events some time after they were published, a few at a time. Dead letters stay. */
final class OutboxPruner implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxPruner.class);

    private static final int BATCH = 1000;

    private final Events events;
    private final Clock clock;
    private final Duration retention;
    private final Duration interval;
    private Disposable running = Disposables.disposed();

    OutboxPruner(Events events, Clock clock, OutboxSettings settings) {
        this.events = events;
        this.clock = clock;
        this.retention = settings.retention();
        this.interval = settings.relay() ? settings.pruneInterval() : Duration.ZERO;
    }

    /** Removes all whose time is over. Safe to run at any time and anywhere. */
    Mono<Void> prune() {
        return Mono.defer(() -> {
            Instant before = clock.instant().minus(retention);
            return events.prune(0, before, BATCH)
                    .expand(last -> events.prune(last, before, BATCH))
                    .then();
        });
    }

    @Override
    public void start() {
        if (!interval.isZero()) {
            running = Mono.delay(interval)
                    .then(Mono.defer(this::prune))
                    .onErrorResume(failure -> {
                        LOG.warn("Old events could not be removed, trying again later: {}", failure.toString());
                        return Mono.empty();
                    })
                    .repeat()
                    .subscribe();
        }
    }

    @Override
    public void stop() {
        running.dispose();
    }

    @Override
    public boolean isRunning() {
        return !running.isDisposed();
    }
}
