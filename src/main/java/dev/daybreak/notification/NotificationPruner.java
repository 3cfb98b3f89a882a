package dev.daybreak.notification;

import dev.daybreak.platform.sql.Detached;
import java.time.Clock;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Removes messages some time after they were made and their appointment was due, sent or not, a few at a time. Until then the row is
 * what keeps an event, or a reminder, that comes again from being told twice.
 */
final class NotificationPruner implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationPruner.class);

    private static final int BATCH = 1000;

    private final Notifications notifications;
    private final NotificationSettings settings;
    private final Clock clock;
    private Disposable running = Disposables.disposed();

    NotificationPruner(Notifications notifications, NotificationSettings settings, Clock clock) {
        this.notifications = notifications;
        this.settings = settings;
        this.clock = clock;
    }

    /** Removes all whose time is over. Safe to run at any time and anywhere. */
    Mono<Void> prune() {
        return Mono.defer(() -> {
            Instant before = clock.instant().minus(settings.retention());
            return prune(0, before).expand(last -> prune(last, before)).then();
        });
    }

    private Mono<Long> prune(long after, Instant before) {
        return Detached.run(notifications.prune(after, before, BATCH));
    }

    @Override
    public void start() {
        if (!settings.pruneInterval().isZero()) {
            running = Mono.delay(settings.pruneInterval())
                    .then(Mono.defer(this::prune))
                    .onErrorResume(failure -> {
                        LOG.warn("Old messages could not be removed, trying again later: {}", failure.toString());
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
