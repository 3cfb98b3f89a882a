package dev.daybreak.outbox;

import dev.daybreak.outbox.Attempt.Failed;
import dev.daybreak.outbox.Attempt.Postponed;
import dev.daybreak.outbox.Attempt.Published;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** Tries to bring events to their destination, and judges what came of it. */
final class Deliveries {

    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);

    private final Destination destination;
    private final OutboxMetrics metrics;
    private final int maxAttempts;

    /** @param maxAttempts failures after which an event is a dead letter */
    Deliveries(Destination destination, OutboxMetrics metrics, int maxAttempts) {
        this.destination = destination;
        this.metrics = metrics;
        this.maxAttempts = maxAttempts;
    }

    /**
     * Emits an attempt for each event that was tried. What follows one that did not arrive is left out, as far as it is of the same
     * aggregate. Never errors for an event's sake.
     */
    Mono<List<Attempt>> attempt(List<Due> due) {
        return InOrder.each(due, one -> one.event().aggregateId(), this::attempt, Published.class::isInstance);
    }

    private Mono<Attempt> attempt(Due due) {
        return destination
                .publish(due.event())
                .<Attempt>thenReturn(new Published(due))
                .onErrorResume(failure -> destination.isOutage(failure)
                        ? Mono.just(new Postponed(due, failure))
                        : failed(Failed.of(due, failure)));
    }

    private Mono<Attempt> failed(Failed attempt) {
        metrics.failed();
        Due due = attempt.due();
        if (due.attempts() + 1 < maxAttempts) {
            LOG.debug("Event {} failed: {}", due.event().id(), attempt.error());
            return Mono.just(attempt);
        }
        metrics.died();
        LOG.error(
                "Event {} ({} of {} {}) is a dead letter: {}",
                due.event().id(),
                due.event().type(),
                due.event().aggregateType(),
                due.event().aggregateId(),
                attempt.error());
        return destination.announceDead(due.event(), attempt.error()).thenReturn(attempt);
    }
}
