package dev.daybreak.schedule;

import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.trail.Deed;
import dev.daybreak.schedule.PublishOutcome.NoSuchDoctor;
import dev.daybreak.schedule.PublishOutcome.Overlap;
import dev.daybreak.schedule.PublishOutcome.Published;
import java.time.Clock;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Turns timetables into slots; publications of one doctor come one after the other. */
class Publishing {

    private final Doctors doctors;
    private final Schedules schedules;
    private final CalendarSlots slots;
    private final Closures closures;
    private final ClinicSettings clinic;
    private final Clock clock;
    private final AuditTrail trail;
    private final TransactionalOperator transaction;
    private final ApplicationEventPublisher events;

    Publishing(
            Doctors doctors,
            Schedules schedules,
            CalendarSlots slots,
            Closures closures,
            ClinicSettings clinic,
            Clock clock,
            AuditTrail trail,
            TransactionalOperator transaction,
            ApplicationEventPublisher events) {
        this.doctors = doctors;
        this.schedules = schedules;
        this.slots = slots;
        this.closures = closures;
        this.clinic = clinic;
        this.clock = clock;
        this.trail = trail;
        this.transaction = transaction;
        this.events = events;
    }

    /** Emits the outcome after the commit. The same timetable may be published again: only missing slots are made. */
    Mono<PublishOutcome> publish(long doctorId, Timetable timetable, Actor actor) {
        LocalDate horizon = clinic.horizon(clock.instant());
        SlotPlan plan = plan(doctorId, timetable, horizon);
        Mono<PublishOutcome> work = unlessRefused(doctorId, timetable, keep(doctorId, timetable, horizon, plan, actor))
                .as(transaction::transactional)
                .doOnNext(outcome -> announce(outcome, plan));
        return Detached.run(work);
    }

    /** Emits what {@link #publish} would, and writes nothing. */
    Mono<PublishOutcome> tryOut(long doctorId, Timetable timetable) {
        SlotPlan plan = plan(doctorId, timetable, clinic.horizon(clock.instant()));
        Mono<PublishOutcome> figures = slots.countExisting(plan.slots())
                .map(existing -> published(plan, plan.slots().size() - existing));
        return Detached.run(unlessRefused(doctorId, timetable, figures).as(transaction::transactional));
    }

    private SlotPlan plan(long doctorId, Timetable timetable, LocalDate horizon) {
        LocalDate end = timetable.toDate();
        return end == null
                ? SlotPlan.of(doctorId, timetable, clinic.dayOf(clock.instant()), horizon, clinic)
                : SlotPlan.of(doctorId, timetable, timetable.fromDate(), end, clinic);
    }

    // The overlap is looked for by a statement of its own: the one that waited for the lock still sees what was before.
    private Mono<PublishOutcome> unlessRefused(long doctorId, Timetable timetable, Mono<PublishOutcome> work) {
        return closures.freeze()
                .then(doctors.lock(doctorId))
                .flatMap(doctor -> schedules.meeting(doctorId, timetable.fromDate(), timetable.toDate()))
                .flatMap(others -> overlap(timetable, others).map(Mono::just).orElse(work))
                .defaultIfEmpty(new NoSuchDoctor());
    }

    private static Optional<PublishOutcome> overlap(Timetable timetable, List<Schedule> others) {
        return others.stream()
                .filter(other -> timetable.conflictsWith(other.timetable()))
                .findFirst()
                .map(Overlap::new);
    }

    private Mono<PublishOutcome> keep(
            long doctorId, Timetable timetable, LocalDate horizon, SlotPlan plan, Actor actor) {
        return schedules
                .keep(doctorId, timetable, horizon)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(added -> slots.insertMissing(plan.slots())
                        .flatMap(created -> trace(doctorId, timetable, added, created, actor)
                                .thenReturn(published(plan, created))));
    }

    private Mono<Void> trace(long doctorId, Timetable timetable, Optional<Long> added, long created, Actor actor) {
        if (added.isPresent()) {
            long id = added.get();
            return trail.record(
                    actor, Deed.of("schedule.publish", "schedule", id).to(ScheduleView.of(id, doctorId, timetable)));
        }
        return created == 0
                ? Mono.empty()
                : trail.record(
                        actor,
                        Deed.of("schedule.publish-again", "doctor", doctorId).to(Map.of("createdSlots", created)));
    }

    private void announce(PublishOutcome outcome, SlotPlan plan) {
        if (outcome instanceof Published published && published.created() > 0) {
            events.publishEvent(SlotsPublished.of(plan));
        }
    }

    private static PublishOutcome published(SlotPlan plan, long created) {
        return new Published(created, plan.slots().size() - created, plan.skipped());
    }
}
