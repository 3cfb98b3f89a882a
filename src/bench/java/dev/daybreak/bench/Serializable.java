package dev.daybreak.bench;

import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Checks and writes in a SERIALIZABLE transaction, and starts again when PostgreSQL finds a conflict. */
record Serializable(CheckThenWrite naive) implements SeatGuard {

    Serializable(Seats seats, TransactionalOperator serializable) {
        this(new CheckThenWrite(seats, serializable));
    }

    @Override
    public String name() {
        return "SERIALIZABLE, retried";
    }

    @Override
    public Mono<Attempt> tryReserve(SeatRequest request) {
        return naive.tryReserve(request).as(Conflict::retried);
    }
}
