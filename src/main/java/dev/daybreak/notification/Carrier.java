package dev.daybreak.notification;

import reactor.core.publisher.Mono;

/** Brings messages of a channel out of the house. */
interface Carrier {

    /**
     * Completes when somebody else has taken the message over. Errors, in a bounded time, if that did not happen or is unknown: with
     * {@link DeliveryFailed} if there is something to say about it.
     */
    Mono<Void> deliver(Message message);
}
