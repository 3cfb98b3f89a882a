package dev.daybreak.booking;

import dev.daybreak.booking.BookingOutcome.Booked;
import dev.daybreak.booking.BookingOutcome.SlotFull;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.sql.SqlStates;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.trail.Deed;
import dev.daybreak.schedule.Slots;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * What the clinic's staff do for patients: by the same functions as everybody else, but one at a time, as the entry in the audit trail
 * belongs into the same transaction. Every method is cold, goes on when the subscriber leaves and may be repeated.
 */
final class StaffDesk {

    private static final Retry AFTER_CONFLICTS = Retry.backoff(3, Duration.ofMillis(10))
            .filter(failure -> failure instanceof Overtaken || SqlStates.isTransientConflict(failure))
            .onRetryExhaustedThrow((retry, last) -> last.failure());

    private final BookBatch bookings;
    private final CancelBatch cancellations;
    private final Appointments appointments;
    private final Slots slots;
    private final AuditTrail trail;
    private final TransactionalOperator transaction;

    StaffDesk(
            BookBatch bookings,
            CancelBatch cancellations,
            Appointments appointments,
            Slots slots,
            AuditTrail trail,
            TransactionalOperator transaction) {
        this.bookings = bookings;
        this.cancellations = cancellations;
        this.appointments = appointments;
        this.slots = slots;
        this.trail = trail;
        this.transaction = transaction;
    }

    /** Somebody else changed the appointment between two looks at it. */
    private static final class Overtaken extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Overtaken() {
            super("overtaken", null, false, false);
        }
    }

    /** Cancels at any time, and tells the trail if that changed anything. */
    Mono<Cancellation.Outcome> cancel(long appointmentId, @Nullable String reason, Actor actor) {
        String by = actor.name().equals(Appointment.PATIENT) ? "staff" : actor.name();
        Mono<CancelBatch.Decided> work = appointments
                .find(appointmentId)
                .flatMap(before -> cancellations
                        .decide(List.of(new Cancellation(appointmentId, by, reason)))
                        .flatMap(decided -> decided.outcomes().getFirst() == Cancellation.Outcome.CANCELLED
                                ? traceEnd(before, reason, actor).thenReturn(decided)
                                : Mono.just(decided)))
                .defaultIfEmpty(CancelBatch.Decided.NOTHING);
        return Detached.run(transaction
                .transactional(work)
                .retryWhen(AFTER_CONFLICTS)
                .onErrorMap(Overtaken.class, overtaken -> new Refusal(ProblemCode.BUSY))
                .doOnNext(cancellations::announce)
                .map(decided -> decided.outcomes().getFirst()));
    }

    private Mono<Void> traceEnd(Appointment before, @Nullable String reason, Actor actor) {
        return appointments
                .find(before.id())
                .filter(after -> after.revision() == before.revision() + 1)
                .switchIfEmpty(Mono.error(Overtaken::new))
                .flatMap(after -> trail.record(
                        actor,
                        Deed.of("appointment.cancel", "appointment", after.id())
                                .from(AppointmentView.of(before))
                                .to(AppointmentView.of(after))
                                .because(reason)));
    }

    /**
     * What staff ask for.
     *
     * @param force whether to add a seat to the slot if none is left
     */
    record Wish(
            BookingRequest request, boolean force, @Nullable String reason) {}

    /** Books a seat, or adds one and books it, or changes nothing. */
    Mono<BookingOutcome> book(Wish wish, Actor actor) {
        Mono<BookBatch.Decided> work = bookings.decide(List.of(wish.request()), 0)
                .flatMap(decided -> decided.outcome() instanceof SlotFull && wish.force()
                        ? withSeatAdded(wish, actor, decided)
                        : Mono.just(decided))
                .flatMap(decided -> decided.outcome() instanceof Booked booked
                        ? trace(booked.appointment(), wish, actor).thenReturn(decided)
                        : Mono.just(decided));
        return Detached.run(transaction
                .execute(status -> work.doOnNext(decided -> {
                    if (!(decided.outcome() instanceof Booked)) {
                        status.setRollbackOnly();
                    }
                }))
                .single()
                .retryWhen(AFTER_CONFLICTS)
                .flatMap(this::settled));
    }

    // The slot is locked since it was found full, so the added seat is nobody else's.
    private Mono<BookBatch.Decided> withSeatAdded(Wish wish, Actor actor, BookBatch.Decided full) {
        long slotId = wish.request().slotId();
        return slots.addSeat(slotId)
                .flatMap(slot -> trail.record(
                                actor,
                                Deed.of("slot.add-seat", "slot", slotId)
                                        .from(Map.of("capacity", slot.capacity() - 1))
                                        .to(Map.of("capacity", slot.capacity()))
                                        .because(wish.reason()))
                        .then(bookings.decide(List.of(wish.request()), 0)))
                .defaultIfEmpty(full);
    }

    private Mono<Void> trace(Appointment booked, Wish wish, Actor actor) {
        return appointments
                .sign(booked.id(), actor.name())
                .then(trail.record(
                        actor,
                        Deed.of("appointment.book", "appointment", booked.id())
                                .to(AppointmentView.of(booked))
                                .because(wish.reason())));
    }

    private Mono<BookingOutcome> settled(BookBatch.Decided decided) {
        if (decided.outcome() instanceof Booked) {
            bookings.announce(decided);
        }
        return bookings.outcomes(decided).map(List::getFirst);
    }
}
