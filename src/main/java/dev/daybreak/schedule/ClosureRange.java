package dev.daybreak.schedule;

import dev.daybreak.platform.web.Input;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.Temporal;

/**
 * The time of a closure, from {@code from} to before {@code to}.
 *
 * @param wholeDays whether it was given as days of the clinic, the last one included
 */
record ClosureRange(Instant from, Instant to, boolean wholeDays) {

    private static final Duration LONGEST = Duration.ofDays(366).plusHours(1); // a year of days may have an hour more
    private static final LocalDate EARLIEST = LocalDate.of(2000, 1, 1);
    private static final LocalDate LATEST = LocalDate.of(2999, 12, 31);

    /** Reads {@code from} and {@code to}, both of them days or both of them points in time; the caller completes the input. */
    static ClosureRange read(Input input, ClinicSettings clinic) {
        Temporal from = input.dayOrInstant("from");
        Temporal to = input.dayOrInstant("to");
        boolean wholeDays = from instanceof LocalDate;
        var range = new ClosureRange(start(from, clinic), end(to, clinic), wholeDays);
        if (input.isSound("from", "to")) {
            input.check(wholeDays == to instanceof LocalDate, "to", "same-form", "from");
        }
        if (input.isSound("from", "to")) {
            input.check(isUsual(range.from, clinic), "from", "range", EARLIEST, LATEST);
            input.check(isUsual(range.to, clinic), "to", "range", EARLIEST, LATEST);
        }
        if (input.isSound("from", "to")) {
            input.check(range.from.isBefore(range.to), "to", wholeDays ? "date-order" : "after", from);
            Duration length = Duration.between(range.from, range.to);
            input.check(length.compareTo(LONGEST) <= 0, "to", "period", LONGEST.toDays());
        }
        return range;
    }

    private static boolean isUsual(Instant instant, ClinicSettings clinic) {
        LocalDate day = clinic.dayOf(instant);
        return !day.isBefore(EARLIEST) && !day.isAfter(LATEST.plusDays(1));
    }

    /** The moment, or the beginning of the day. */
    static Instant start(Temporal written, ClinicSettings clinic) {
        return written instanceof LocalDate day ? dayStart(day, clinic) : Instant.from(written);
    }

    /** The moment, or the end of the day. */
    static Instant end(Temporal written, ClinicSettings clinic) {
        return written instanceof LocalDate day ? dayStart(day.plusDays(1), clinic) : Instant.from(written);
    }

    private static Instant dayStart(LocalDate day, ClinicSettings clinic) {
        return day.atStartOfDay(clinic.zone()).toInstant();
    }

    boolean meets(Slot slot) {
        return slot.startAt().isBefore(to) && slot.endAt().isAfter(from);
    }

    String writtenFrom(ClinicSettings clinic) {
        return wholeDays ? clinic.dayOf(from).toString() : from.toString();
    }

    String writtenTo(ClinicSettings clinic) {
        return wholeDays ? clinic.dayOf(to.minusNanos(1)).toString() : to.toString();
    }
}
