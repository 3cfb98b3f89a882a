package dev.daybreak.outbox;

import reactor.core.publisher.Mono;

/** Gets every event, those of one aggregate in order. */
public interface EventConsumer {

    /**
     * Takes one event; completes when it is done with it for good. May get the same event again. Errors: it will come again,
     * after N attempts it is a dead letter.
     */
    Mono<Void> consume(OutboxEvent event);
}
