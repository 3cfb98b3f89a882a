package dev.daybreak.bench;

import dev.daybreak.bench.Seats.Seat;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Locks the slot's row before it reads the count. */
record RowLock(Seats seats, TransactionalOperator transaction) implements SeatGuard {

    @Override
    public String name() {
        return "SELECT … FOR NO KEY UPDATE";
    }

    @Override
    public Mono<Attempt> tryReserve(SeatRequest request) {
        return seats.readLocked(request.slotId())
                .filter(Seat::isFree)
                .flatMap(seat -> seats.take(request, seat))
                .defaultIfEmpty(Attempt.FULL)
                .as(transaction::transactional);
    }
}
