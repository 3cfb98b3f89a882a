package dev.daybreak.outbox;

import reactor.core.publisher.Mono;

/** Somebody who wants to know of every event. Each bean of this type is told. */
public interface EventConsumer {

    /**
     * Takes one event, and completes when it is done with it for good. It may get the same event again. After an error, or without
     * an answer within {@code daybreak.outbox.delivery-timeout}, it gets it again; after {@code max-attempts} of these it is a dead letter. Events of
     * one aggregate come one after the other, in order.
     */
    Mono<Void> consume(OutboxEvent event);
}
