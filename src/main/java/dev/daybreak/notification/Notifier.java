package dev.daybreak.notification;

import dev.daybreak.outbox.EventConsumer;
import dev.daybreak.outbox.OutboxEvent;
import dev.daybreak.platform.batch.BatchFailures;
import dev.daybreak.platform.batch.BatchLimits;
import dev.daybreak.platform.batch.Batcher;
import java.util.Collections;
import java.util.List;
import reactor.core.publisher.Mono;

/** Turns events into messages to be sent, one for each channel however often an event comes. */
final class Notifier implements EventConsumer {

    // One lane keeps the order of events; those that arrive while it works share the next statement.
    private static final BatchLimits LIMITS = new BatchLimits(1, 512, 16_384);

    private final Notifications notifications;
    private final NotificationMetrics metrics;
    private final List<Sender> senders;
    private final Batcher<Announcement, Boolean> batches;

    Notifier(Notifications notifications, NotificationMetrics metrics, List<Sender> senders) {
        this.notifications = notifications;
        this.metrics = metrics;
        this.senders = senders;
        this.batches = new Batcher<>(
                LIMITS,
                BatchFailures.RETRY_THEN_ONE_BY_ONE,
                announcement -> 0,
                announcements ->
                        announce(announcements).thenReturn(Collections.nCopies(announcements.size(), Boolean.TRUE)));
    }

    /** {@inheritDoc} An event is done when its messages are in the database; sending them is another matter. */
    @Override
    public Mono<Void> consume(OutboxEvent event) {
        return Mono.fromCallable(() -> Announcement.of(event))
                .flatMap(batches::submit)
                .then();
    }

    /** Makes the messages that are not there yet; emits how many those were. */
    Mono<Long> announce(List<Announcement> announcements) {
        return notifications
                .add(announcements)
                .doOnNext(added -> added.forEach(some -> metrics.count(some.channel(), some.status(), some.count())))
                .map(added -> added.stream()
                        .filter(some -> some.status() == Status.PENDING)
                        .mapToLong(Notifications.Added::count)
                        .sum())
                .doOnNext(made -> {
                    if (made > 0) {
                        senders.forEach(Sender::wake);
                    }
                });
    }
}
