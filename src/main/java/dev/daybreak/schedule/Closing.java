package dev.daybreak.schedule;

import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.trail.Deed;
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
    private final ClinicSettings clinic;
    private final Clock clock;
    private final AuditTrail trail;

    Closing(
            Doctors doctors,
            CalendarSlots slots,
            Closures closures,
            AppointmentsInTheWay appointments,
            Withdrawal withdrawal,
            ClinicSettings clinic,
            Clock clock,
            AuditTrail trail) {
        this.doctors = doctors;
        this.slots = slots;
        this.closures = closures;
        this.appointments = appointments;
        this.withdrawal = withdrawal;
        this.clinic = clinic;
        this.clock = clock;
        this.trail = trail;
    }

    /**
     * What is to be closed.
     *
     * @param old the closure as it was, if there was one
     * @param change makes or changes the closure and emits it
     */
    private record Plan(
            List<Long> whose,
            Wish wish,
            Instant now,
            @Nullable Closure old,
            Mono<Closure> change,
            Actor actor) {

        ClosureRange before() {
            return old == null ? wish.range() : old.range();
        }
    }

    /**
     * Closes the time for a doctor, or for all of them. The same closure may be made again; its reason stays then, and only
     * what has been in the way since is looked at.
     */
    Mono<ClosureOutcome> close(@Nullable Long doctorId, Wish wish, Actor actor) {
        Instant now = clock.instant();
        Mono<Closure> add = closures.add(doctorId, wish.range(), wish.terms().reason(), now);
        Mono<ClosureOutcome> work = closures.lock()
                .then(affected(doctorId))
                .flatMap(whose -> closures.same(doctorId, wish.range())
                        .map(same -> new Plan(whose, wish, now, same, Mono.just(same), actor))
                        .defaultIfEmpty(new Plan(whose, wish, now, null, add, actor)))
                .flatMap(this::settle)
                .defaultIfEmpty(new NoSuchDoctor());
        return withdrawal.run(work, wish.terms().dryRun(), this::announce);
    }

    /** Gives a closure another time and reason, after the same checks; what only the old time closed is opened. */
    Mono<ClosureOutcome> change(long id, Wish wish, Actor actor) {
        Instant now = clock.instant();
        Mono<Closure> change = closures.change(id, wish.range(), wish.terms().reason());
        Mono<ClosureOutcome> work = closures.lock()
                .then(closures.find(id))
                .flatMap(old -> affected(old.doctorId()).map(whose -> new Plan(whose, wish, now, old, change, actor)))
                .flatMap(this::settle)
                .defaultIfEmpty(new NoSuchClosure());
        return withdrawal.run(work, wish.terms().dryRun(), this::announce);
    }

    /** Ends a closure and opens what nothing else keeps closed; emits false if there is none. */
    Mono<Boolean> reopen(long id, Actor actor) {
        Instant now = clock.instant();
        var terms = new Terms(null, false, false);
        Mono<Withdrawal.Done> work = closures.lock()
                .then(closures.find(id))
                .flatMap(old -> affected(old.doctorId())
                        .flatMap(whose -> slots.lockMeeting(whose, old.range(), old.range(), now))
                        .flatMap(locked ->
                                withdrawal.carryOut(locked, List.of(), terms, now, closures.remove(id), done -> done))
                        .flatMap(done -> trail.record(
                                        actor,
                                        Deed.of("closure.end", "closure", id).from(ClosureView.of(old, clinic)))
                                .thenReturn(done)));
        return withdrawal.run(work, false, withdrawal::announce).hasElement();
    }

    private Mono<ClosureOutcome> settle(Plan plan) {
        ClosureRange range = plan.wish().range();
        return slots.lockMeeting(plan.whose(), plan.before(), range, plan.now())
                .flatMap(locked -> appointments
                        .inTime(idsIn(range, locked), plan.whose(), range.from(), range.to(), plan.now())
                        .flatMap(found -> settle(plan, locked, found)));
    }

    private Mono<ClosureOutcome> settle(Plan plan, List<Slot> locked, List<InTheWay> found) {
        Terms terms = plan.wish().terms();
        List<InTheWay> blocking = Withdrawal.blocking(found, terms);
        if (!blocking.isEmpty()) {
            return Mono.just(new Affects(blocking));
        }
        return plan.change()
                .flatMap(closure -> withdrawal
                        .carryOut(locked, found, terms, plan.now(), Mono.empty(), done -> done)
                        .flatMap(done ->
                                trace(plan, closure, done).thenReturn(new Closed(closure, done, plan.old() == null))));
    }

    /** Closing again what is closed changes nothing, unless something new was in the way. */
    private Mono<Void> trace(Plan plan, Closure closure, Withdrawal.Done done) {
        if (closure.equals(plan.old()) && done.equals(Withdrawal.Done.NOTHING)) {
            return Mono.empty();
        }
        Closure old = plan.old();
        return trail.record(
                plan.actor(),
                Deed.of(old == null ? "closure.make" : "closure.change", "closure", closure.id())
                        .from(old == null ? null : ClosureView.of(old, clinic))
                        .to(ClosureView.of(closure, clinic).after(done, false))
                        .because(plan.wish().terms().reason()));
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
