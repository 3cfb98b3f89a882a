package dev.daybreak.bench;

import dev.daybreak.bench.Seats.Seat;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Reads the count, decides, writes the count. Nothing stops two from reading the same: the naive way. */
record CheckThenWrite(Seats seats, TransactionalOperator transaction) implements SeatGuard {

    @Override
    public String name() {
        return "check, then write";
    }

    @Override
    public Mono<Attempt> tryReserve(SeatRequest request) {
        return seats.read(request.slotId())
                .filter(Seat::isFree)
                .flatMap(seat -> seats.take(request, seat))
                .defaultIfEmpty(Attempt.FULL)
                .as(transaction::transactional);
    }
}
