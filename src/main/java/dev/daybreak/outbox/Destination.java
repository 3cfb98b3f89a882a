package dev.daybreak.outbox;

import reactor.core.publisher.Mono;

/** Where the relay carries events. */
interface Destination {

    /** Completes when the event is there for good. Cold; cancelling does not take it back. */
    Mono<Void> publish(OutboxEvent event);

    /** Whether the failure says nothing about the event: it is not counted, and the event tried again until it gets through. */
    boolean isOutage(Throwable failure);

    /** Tells whoever watches dead letters of another one, if there is a way. Completes in any case. */
    Mono<Void> announceDead(OutboxEvent event, String error);
}
