package dev.daybreak.platform.sql;

import reactor.core.publisher.Mono;

/** Work that runs to its end once it has begun, whatever becomes of the request that asked for it. */
public final class Detached {

    private Detached() {}

    /**
     * Emits what the work emits. Cold: the work begins on subscription, once for each subscriber; cancelling only stops
     * the waiting. The subscriber's context does not reach the work.
     *
     * <p>A client that disconnects cancels its request down to the driver, and a transaction cancelled in the middle may
     * go back to the pool open: what the next request commits on it can be lost. So every transaction runs in here.
     */
    public static <T> Mono<T> run(Mono<T> work) {
        return Mono.fromFuture(work::toFuture, true);
    }
}
