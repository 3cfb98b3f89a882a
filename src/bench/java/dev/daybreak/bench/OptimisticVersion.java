package dev.daybreak.bench;

import dev.daybreak.bench.Seats.Seat;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Writes only if the slot still has the version that was read, else starts again. */
record OptimisticVersion(Seats seats, TransactionalOperator transaction) implements SeatGuard {

    @Override
    public String name() {
        return "optimistic version, retried";
    }

    @Override
    public Mono<Attempt> tryReserve(SeatRequest request) {
        return seats.read(request.slotId())
                .filter(Seat::isFree)
                .flatMap(seat -> seats.takeUnchanged(request, seat))
                .flatMap(taken -> taken ? Mono.just(Attempt.BOOKED) : Mono.<Attempt>error(Conflict.STALE_VERSION))
                .defaultIfEmpty(Attempt.FULL)
                .as(transaction::transactional)
                .as(Conflict::retried);
    }
}
