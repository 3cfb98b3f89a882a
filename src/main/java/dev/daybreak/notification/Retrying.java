package dev.daybreak.notification;

import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.trail.Deed;
import java.time.Instant;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/**
 * Tries a failed message again for the clinic's staff, with the entry in the audit trail in the same transaction, and so not over the
 * connections that messages are sent with.
 */
final class Retrying {

    private final Notifications notifications;
    private final AuditTrail trail;
    private final TransactionalOperator transaction;

    Retrying(DatabaseClient database, AuditTrail trail, TransactionalOperator transaction) {
        this.notifications = new Notifications(database);
        this.trail = trail;
        this.transaction = transaction;
    }

    /** Emits the message, or nothing if it has not failed. */
    Mono<Notification> retry(long id, Instant now, Actor actor) {
        return transaction.transactional(notifications
                .retry(id, now)
                .flatMap(retried -> trail.record(actor, Deed.of("notification.retry", "notification", id))
                        .thenReturn(retried)));
    }
}
