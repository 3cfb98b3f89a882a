package dev.daybreak.room.reserve;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.trail.Deed;
import dev.daybreak.room.Reservation;
import dev.daybreak.room.ReservationStatus;
import dev.daybreak.room.Reservations;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** What the clinic's staff do with reservations, whose passwords they do not know. */
final class StaffDesk {

    private static final String STAFF = "staff";

    private final Ledger ledger;
    private final Reservations reservations;
    private final Changes changes;
    private final AuditTrail trail;
    private final TransactionalOperator transaction;

    StaffDesk(
            Ledger ledger,
            Reservations reservations,
            Changes changes,
            AuditTrail trail,
            TransactionalOperator transaction) {
        this.ledger = ledger;
        this.reservations = reservations;
        this.changes = changes;
        this.trail = trail;
        this.transaction = transaction;
    }

    /** Emits what lies in {@code [from, to)}, by start. */
    Mono<List<Reservation>> between(
            Instant from, Instant to, @Nullable Long room, @Nullable ReservationStatus status, int limit) {
        return ledger.ofDay(from, to, room, status, limit);
    }

    /**
     * Makes room, and tells the trail if that changed anything. Errors with RESERVATION_NOT_FOUND if there is nothing to cancel. Goes on
     * when the subscriber leaves.
     */
    Mono<Void> cancel(long id, String reason, Actor actor) {
        Mono<Ledger.CancelVerdict> work = ledger.lock(id)
                .switchIfEmpty(Mono.error(() -> new Refusal(ProblemCode.RESERVATION_NOT_FOUND)))
                .flatMap(before -> ledger.cancel(id, name(actor), reason)
                        .flatMap(verdict -> verdict.range() == null
                                ? Mono.just(verdict)
                                : trace(before, reason, actor).thenReturn(verdict)));
        return Detached.run(transaction.transactional(work).doOnNext(changes::announce))
                .then();
    }

    private Mono<Void> trace(Reservation before, String reason, Actor actor) {
        return reservations
                .find(before.id())
                .flatMap(after -> trail.record(
                        actor,
                        Deed.of("reservation.cancel", "reservation", after.id())
                                .from(Traced.of(before))
                                .to(Traced.of(after))
                                .because(reason)));
    }

    /** What the trail keeps of a reservation: whose it is, is not of it. */
    private record Traced(long roomId, Instant startAt, Instant endAt, ReservationStatus status, int revision) {

        static Traced of(Reservation reservation) {
            return new Traced(
                    reservation.roomId(),
                    reservation.range().start(),
                    reservation.range().end(),
                    reservation.status(),
                    reservation.revision());
        }
    }

    /** As it is kept with the reservation; nobody of the staff is taken for its owner. */
    private static String name(Actor actor) {
        return actor.isAnonymous() || actor.name().equals(Reservation.OWNER) ? STAFF : actor.name();
    }
}
