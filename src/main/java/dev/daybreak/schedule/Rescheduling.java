package dev.daybreak.schedule;

import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.trail.Deed;
import dev.daybreak.schedule.AppointmentsInTheWay.InTheWay;
import dev.daybreak.schedule.Openings.Time;
import dev.daybreak.schedule.ScheduleChangeOutcome.Affects;
import dev.daybreak.schedule.ScheduleChangeOutcome.Changed;
import dev.daybreak.schedule.ScheduleChangeOutcome.NoSuchSchedule;
import dev.daybreak.schedule.ScheduleChangeOutcome.Overlaps;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import reactor.core.publisher.Mono;

/**
 * Changes the hours of a schedule, or ends it, from now on. Slots that no schedule asks for any more are withdrawn: they stay as
 * rows, closed, and come back when they are published again.
 */
class Rescheduling {

    private final Doctors doctors;
    private final Schedules schedules;
    private final CalendarSlots slots;
    private final Closures closures;
    private final Openings openings;
    private final AppointmentsInTheWay appointments;
    private final Withdrawal withdrawal;
    private final ClinicSettings clinic;
    private final Clock clock;
    private final AuditTrail trail;
    private final ApplicationEventPublisher events;

    Rescheduling(
            Doctors doctors,
            Schedules schedules,
            CalendarSlots slots,
            Closures closures,
            Openings openings,
            AppointmentsInTheWay appointments,
            Withdrawal withdrawal,
            ClinicSettings clinic,
            Clock clock,
            AuditTrail trail,
            ApplicationEventPublisher events) {
        this.doctors = doctors;
        this.schedules = schedules;
        this.slots = slots;
        this.closures = closures;
        this.openings = openings;
        this.appointments = appointments;
        this.withdrawal = withdrawal;
        this.clinic = clinic;
        this.clock = clock;
        this.trail = trail;
        this.events = events;
    }

    /**
     * What is to become of a schedule.
     *
     * @param wanted its new timetable; null when it ends
     * @param others the doctor's other schedules
     */
    private record Plan(
            Schedule old, @Nullable Timetable wanted, List<Schedule> others, Terms terms, Instant now, Actor actor) {

        private Deed deed(long cancelled) {
            Deed deed = Deed.of(wanted == null ? "schedule.end" : "schedule.change", "schedule", old.id())
                    .from(ScheduleView.of(old))
                    .because(terms.reason());
            return wanted == null && cancelled == 0
                    ? deed
                    : deed.to(new Outcome(
                            wanted == null ? null : ScheduleView.of(old.id(), old.doctorId(), wanted), cancelled));
        }
    }

    /** For the trail: what there is now, and how many appointments it cost. */
    private record Outcome(@Nullable ScheduleView schedule, long cancelledAppointments) {}

    /** Emits the outcome after the commit. */
    Mono<ScheduleChangeOutcome> change(long id, ScheduleChangeRequest.Hours hours, Actor actor) {
        return run(id, hours, hours.terms(), actor);
    }

    /** Emits the outcome after the commit. */
    Mono<ScheduleChangeOutcome> end(long id, Terms terms, Actor actor) {
        return run(id, null, terms, actor);
    }

    private Mono<ScheduleChangeOutcome> run(
            long id, ScheduleChangeRequest.@Nullable Hours hours, Terms terms, Actor actor) {
        Instant now = clock.instant();
        Mono<ScheduleChangeOutcome> work = closures.freeze()
                .then(schedules.find(id))
                .flatMap(found -> doctors.lock(found.doctorId()))
                // The one that waited for the doctor still sees what was before.
                .flatMap(doctor -> schedules
                        .lock(id)
                        .flatMap(old -> schedules
                                .of(doctor.id())
                                .flatMap(all -> carryOut(new Plan(
                                        old,
                                        hours == null ? null : hours.of(old.timetable()),
                                        all.stream()
                                                .filter(other -> other.id() != id)
                                                .toList(),
                                        terms,
                                        now,
                                        actor)))))
                .defaultIfEmpty(new NoSuchSchedule());
        return withdrawal.run(work, terms.dryRun(), this::announce);
    }

    private Mono<ScheduleChangeOutcome> carryOut(Plan plan) {
        Optional<Schedule> overlapping = overlapping(plan);
        if (overlapping.isPresent()) {
            return Mono.just(new Overlaps(overlapping.get()));
        }
        SlotPlan wanted = slotsOf(plan.old().doctorId(), plan.wanted(), plan.now());
        return slots.lockStarting(plan.old().doctorId(), leaving(plan, wanted))
                .flatMap(locked -> inTheWay(plan, locked).flatMap(found -> carryOut(plan, wanted, locked, found)));
    }

    private Mono<ScheduleChangeOutcome> carryOut(Plan plan, SlotPlan wanted, List<Slot> locked, List<InTheWay> found) {
        List<InTheWay> blocking = Withdrawal.blocking(found, plan.terms());
        if (!blocking.isEmpty()) {
            return Mono.just(new Affects(blocking));
        }
        Mono<?> change = keep(plan)
                .then(slots.withdraw(locked.stream().map(Slot::id).toList()))
                .then();
        return withdrawal
                .carryOut(locked, found, plan.terms(), plan.now(), change, done -> done)
                .flatMap(done -> trail.record(plan.actor(), plan.deed(done.cancelled()))
                        .then(slots.insertMissing(wanted.slots()))
                        .map(created -> new Changed(done, created, wanted)));
    }

    private Mono<Long> keep(Plan plan) {
        Timetable wanted = plan.wanted();
        return wanted == null
                ? schedules.remove(plan.old().id())
                : schedules.change(plan.old().id(), wanted, lastDay(plan.old(), plan.now()));
    }

    private static Optional<Schedule> overlapping(Plan plan) {
        Timetable wanted = plan.wanted();
        return wanted == null
                ? Optional.empty()
                : plan.others().stream()
                        .filter(other -> wanted.conflictsWith(other.timetable()) || wanted.equals(other.timetable()))
                        .findFirst();
    }

    /** The starts, still to come, of slots that only the old timetable asks for. */
    private Set<Instant> leaving(Plan plan, SlotPlan wanted) {
        Set<Instant> kept = new HashSet<>(starts(wanted));
        // Timetables of equal hours may ask for the same slots.
        plan.others().stream()
                .filter(other ->
                        other.timetable().hours().equals(plan.old().timetable().hours()))
                .map(other -> slotsOf(other.doctorId(), other.timetable(), plan.now()))
                .forEach(others -> kept.addAll(starts(others)));
        Schedule old = plan.old();
        LocalDate today = clinic.dayOf(plan.now());
        SlotPlan made = SlotPlan.of(old.doctorId(), old.timetable(), today, lastDay(old, plan.now()), clinic);
        return starts(made).stream()
                .filter(start -> start.isAfter(plan.now()) && !kept.contains(start))
                .collect(Collectors.toSet());
    }

    /** The last day that has slots of the schedule. */
    private LocalDate lastDay(Schedule schedule, Instant now) {
        LocalDate horizon = clinic.horizon(now);
        LocalDate end = schedule.timetable().toDate();
        LocalDate filled = end == null ? schedule.filledUntil() : end;
        return filled != null && filled.isAfter(horizon) ? filled : horizon;
    }

    private static Set<Instant> starts(SlotPlan plan) {
        return plan.slots().stream().map(PlannedSlot::startAt).collect(Collectors.toSet());
    }

    private SlotPlan slotsOf(long doctorId, @Nullable Timetable timetable, Instant now) {
        LocalDate today = clinic.dayOf(now);
        if (timetable == null) {
            return SlotPlan.none(doctorId, clinic);
        }
        LocalDate end = timetable.toDate();
        return SlotPlan.of(doctorId, timetable, today, end == null ? clinic.horizon(now) : end, clinic);
    }

    private Mono<List<InTheWay>> inTheWay(Plan plan, List<Slot> locked) {
        if (!plan.old().timetable().hours().isFlexible()) {
            List<Long> ids = locked.stream().map(Slot::id).toList();
            return appointments.inTime(ids, List.of(), plan.now(), plan.now(), plan.now());
        }
        long doctorId = plan.old().doctorId();
        List<Timetable> remaining = Stream.concat(
                        Stream.ofNullable(plan.wanted()), plan.others().stream().map(Schedule::timetable))
                .filter(timetable -> timetable.hours().isFlexible())
                .toList();
        return appointments
                .inTime(List.of(), List.of(doctorId), plan.now(), ScheduleRequest.END_OF_TIME, plan.now())
                .map(found -> found.stream()
                        .filter(one ->
                                !openings.isWorkingTime(remaining, new Time(doctorId, one.startAt(), one.endAt())))
                        .toList());
    }

    private Mono<Void> announce(ScheduleChangeOutcome outcome) {
        if (!(outcome instanceof Changed changed)) {
            return Mono.empty();
        }
        if (changed.created() > 0) {
            events.publishEvent(SlotsPublished.of(changed.plan()));
        }
        return withdrawal.announce(changed.done());
    }
}
