package dev.daybreak.schedule;

import dev.daybreak.schedule.AppointmentsInTheWay.InTheWay;
import dev.daybreak.schedule.ClosureOutcome.Affects;
import dev.daybreak.schedule.ClosureOutcome.Closed;
import dev.daybreak.schedule.ClosureOutcome.NoSuchClosure;
import dev.daybreak.schedule.ClosureOutcome.NoSuchDoctor;
import dev.daybreak.schedule.ClosureRequest.Wish;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Makes, changes and ends closures. Changes of closures come one after the other and not while slots are made.
 */
class Closing {

    private final Doctors doctors;
    private final CalendarSlots slots;
    private final Closures closures;
    private final AppointmentsInTheWay appointments;
    private final Withdrawal withdrawal;
    private final Clock clock;

    Closing(
            Doctors doctors,
            CalendarSlots slots,
            Closures closures,
            AppointmentsInTheWay appointments,
            Withdrawal withdrawal,
            Clock clock) {
        this.doctors = doctors;
        this.slots = slots;
        this.closures = closures;
        this.appointments = appointments;
        this.withdrawal = withdrawal;
        this.clock = clock;
    }

    /**
     * Closes the time for a doctor, or for all of them. The same closure may be made again; its reason stays then, and only
     * what has been in the way since is looked at.
     */
    Mono<ClosureOutcome> close(@Nullable Long doctorId, Wish wish) {
        Instant now = clock.instant();
        Mono<ClosureOutcome> work = closures.lock()
                .then(affected(doctorId))
                .flatMap(whose -> closures.same(doctorId, wish.range())
                        .flatMap(same -> settle(whose, wish.range(), wish, now, Mono.just(same), false))
                        .switchIfEmpty(Mono.defer(() -> settle(
                                whose,
                                wish.range(),
                                wish,
                                now,
                                closures.add(
                                        doctorId, wish.range(), wish.terms().reason(), now),
                                true))))
                .defaultIfEmpty(new NoSuchDoctor());
        return withdrawal.run(work, wish.terms().dryRun(), this::announce);
    }

    /** Gives a closure another time and reason, after the same checks; what only the old time closed is opened. */
    Mono<ClosureOutcome> change(long id, Wish wish) {
        Instant now = clock.instant();
        Mono<ClosureOutcome> work = closures.lock()
                .then(closures.find(id))
                .flatMap(old -> affected(old.doctorId())
                        .flatMap(whose -> settle(
                                whose,
                                old.range(),
                                wish,
                                now,
                                closures.change(id, wish.range(), wish.terms().reason()),
                                false)))
                .defaultIfEmpty(new NoSuchClosure());
        return withdrawal.run(work, wish.terms().dryRun(), this::announce);
    }

    /** Ends a closure and opens what nothing else keeps closed; emits false if there is none. */
    Mono<Boolean> reopen(long id) {
        Instant now = clock.instant();
        var terms = new Terms(null, false, false);
        Mono<Withdrawal.Done> work = closures.lock()
                .then(closures.find(id))
                .flatMap(old -> affected(old.doctorId())
                        .flatMap(whose -> slots.lockMeeting(whose, old.range(), old.range(), now))
                        .flatMap(locked ->
                                withdrawal.carryOut(locked, List.of(), terms, now, closures.remove(id), done -> done)));
        return withdrawal.run(work, false, withdrawal::announce).hasElement();
    }

    private Mono<ClosureOutcome> settle(
            List<Long> whose, ClosureRange before, Wish wish, Instant now, Mono<Closure> change, boolean isNew) {
        return slots.lockMeeting(whose, before, wish.range(), now)
                .flatMap(locked -> appointments
                        .inTime(
                                idsIn(wish.range(), locked),
                                whose,
                                wish.range().from(),
                                wish.range().to(),
                                now)
                        .flatMap(found -> settle(locked, found, wish, now, change, isNew)));
    }

    private Mono<ClosureOutcome> settle(
            List<Slot> locked, List<InTheWay> found, Wish wish, Instant now, Mono<Closure> change, boolean isNew) {
        List<InTheWay> blocking = Withdrawal.blocking(found, wish.terms());
        if (!blocking.isEmpty()) {
            return Mono.just(new Affects(blocking));
        }
        return change.flatMap(closure -> withdrawal.carryOut(
                locked, found, wish.terms(), now, Mono.empty(), done -> new Closed(closure, done, isNew)));
    }

    private static List<Long> idsIn(ClosureRange range, List<Slot> locked) {
        return locked.stream().filter(range::meets).map(Slot::id).toList();
    }

    /** Emits whose slots it is about; nothing if the doctor does not exist. */
    private Mono<List<Long>> affected(@Nullable Long doctorId) {
        return doctorId == null
                ? doctors.idsWithFlexibleLocked()
                : doctors.lock(doctorId).map(doctor -> List.of(doctor.id()));
    }

    private Mono<Void> announce(ClosureOutcome outcome) {
        return outcome instanceof Closed closed ? withdrawal.announce(closed.done()) : Mono.empty();
    }
}
