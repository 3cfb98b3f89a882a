package dev.daybreak.bench;

import dev.daybreak.bench.Seats.Seat;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Takes a lock by the slot's name until the end of the transaction, then checks and writes. */
record AdvisoryLock(DatabaseClient database, Seats seats, TransactionalOperator transaction) implements SeatGuard {

    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))";

    @Override
    public String name() {
        return "advisory lock by name";
    }

    @Override
    public Mono<Attempt> tryReserve(SeatRequest request) {
        return database.sql(LOCK)
                .bind("name", "slot:" + request.slotId())
                .then()
                .then(Mono.defer(() -> seats.read(request.slotId())))
                .filter(Seat::isFree)
                .flatMap(seat -> seats.take(request, seat))
                .defaultIfEmpty(Attempt.FULL)
                .as(transaction::transactional);
    }
}
