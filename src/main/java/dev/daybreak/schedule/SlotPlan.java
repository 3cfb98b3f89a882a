package dev.daybreak.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
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
    private final ZoneRules rules;
    private final Duration length;
    private Instant free = Instant.MIN;
    private int skipped;

    private record Candidate(Instant startAt, MinuteRange piece) {}

    private SlotPlan(long doctorId, WorkingHours hours, ClinicSettings clinic) {
        this.doctorId = doctorId;
        this.hours = hours;
        this.clinic = clinic;
        this.rules = clinic.zone().getRules();
        this.length = Duration.ofMinutes(hours.slotMinutes());
    }

    /** Plans the working days among those of the range, both ends included. */
    static SlotPlan of(long doctorId, Timetable timetable, LocalDate first, LocalDate last, ClinicSettings clinic) {
        var plan = new SlotPlan(doctorId, timetable.hours(), clinic);
        timetable.days(first, last).forEach(plan::add);
        return plan;
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
            if (startAt.isBefore(free) || !liesWithin(candidate.piece(), day, startAt, endAt)) {
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
                LocalDateTime local = at(day, minute);
                List<ZoneOffset> offsets = rules.getValidOffsets(local);
                if (offsets.isEmpty()) {
                    skipped++;
                }
                offsets.forEach(offset -> candidates.add(new Candidate(local.toInstant(offset), piece)));
            }
        }
        candidates.sort(Comparator.comparing(Candidate::startAt));
        return candidates;
    }

    private boolean liesWithin(MinuteRange piece, LocalDate day, Instant startAt, Instant endAt) {
        LocalDateTime begin = at(day, piece.start());
        LocalDateTime end = at(day, piece.end());
        for (Instant from = startAt; from.isBefore(endAt); ) {
            Instant to = changeBefore(endAt, from);
            LocalDateTime local = LocalDateTime.ofEpochSecond(from.getEpochSecond(), 0, rules.getOffset(from));
            if (local.isBefore(begin) || local.plus(Duration.between(from, to)).isAfter(end)) {
                return false;
            }
            from = to;
        }
        return true;
    }

    private Instant changeBefore(Instant end, Instant from) {
        ZoneOffsetTransition change = rules.nextTransition(from);
        return change == null || change.getInstant().isAfter(end) ? end : change.getInstant();
    }

    private static LocalDateTime at(LocalDate day, int minute) {
        return day.atStartOfDay().plusMinutes(minute);
    }
}
