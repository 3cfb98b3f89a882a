package dev.daybreak.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The slots of a timetable, in order of time. Where the clocks change, a start that does not exist is skipped and one that
 * comes twice is used twice; a slot lasts its minutes on a stopwatch, and every one of them lies within the working hours
 * by the clock on the wall. So slots of timetables that share no working time never overlap either.
 */
final class SlotPlan {

    private final List<PlannedSlot> slots = new ArrayList<>();
    private final long doctorId;
    private final WorkingHours hours;
    private final ClinicSettings clinic;
    private final WallClock clock;
    private final Duration length;
    private Instant free = Instant.MIN;
    private int skipped;

    private record Candidate(Instant startAt, MinuteRange piece) {}

    private SlotPlan(long doctorId, WorkingHours hours, ClinicSettings clinic) {
        this.doctorId = doctorId;
        this.hours = hours;
        this.clinic = clinic;
        this.clock = WallClock.of(clinic);
        this.length = Duration.ofMinutes(hours.slotMinutes());
    }

    /** Plans the working days among those of the range, both ends included. */
    static SlotPlan of(long doctorId, Timetable timetable, LocalDate first, LocalDate last, ClinicSettings clinic) {
        var plan = new SlotPlan(doctorId, timetable.hours(), clinic);
        if (!timetable.hours().isFlexible()) {
            timetable.days(first, last).forEach(plan::add);
        }
        return plan;
    }

    /** A plan without slots. */
    static SlotPlan none(long doctorId, ClinicSettings clinic) {
        return new SlotPlan(doctorId, WorkingHours.flexible(new MinuteRange(0, 1), List.of()), clinic);
    }

    List<PlannedSlot> slots() {
        return slots;
    }

    /** How many starts the changing of the clocks has cost. */
    int skipped() {
        return skipped;
    }

    private void add(LocalDate day) {
        Instant opensAt = clinic.opensAt(day);
        for (Candidate candidate : candidates(day)) {
            Instant startAt = candidate.startAt();
            Instant endAt = startAt.plus(length);
            if (startAt.isBefore(free) || !clock.liesWithin(candidate.piece(), day, startAt, endAt)) {
                skipped++;
            } else {
                slots.add(new PlannedSlot(doctorId, startAt, endAt, hours.capacity(), opensAt));
                free = endAt;
            }
        }
    }

    private List<Candidate> candidates(LocalDate day) {
        var candidates = new ArrayList<Candidate>();
        for (MinuteRange piece : hours.pieces()) {
            int last = piece.end() - hours.slotMinutes();
            for (int minute = piece.start(); minute <= last; minute += hours.slotMinutes()) {
                List<Instant> starts = clock.instants(day, minute);
                if (starts.isEmpty()) {
                    skipped++;
                }
                starts.forEach(startAt -> candidates.add(new Candidate(startAt, piece)));
            }
        }
        candidates.sort(Comparator.comparing(Candidate::startAt));
        return candidates;
    }
}
