package dev.daybreak.notification;

import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.time.Recurring;
import java.time.Clock;
import java.time.Instant;
import reactor.core.publisher.Mono;

/**
 * Removes messages some time after they were made and their appointment was due, sent or not, a few at a time. Until then the row is
 * what keeps an event, or a reminder, that comes again from being told twice.
 */
final class NotificationPruner extends Recurring {

    private static final int BATCH = 1000;

    private final Notifications notifications;
    private final NotificationSettings settings;
    private final Clock clock;

    NotificationPruner(Notifications notifications, NotificationSettings settings, Clock clock) {
        super("Removing old messages", settings.pruneInterval(), settings.pruneInterval());
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
    protected Mono<?> work() {
        return prune();
    }
}
