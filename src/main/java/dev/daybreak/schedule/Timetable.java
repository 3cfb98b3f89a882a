package dev.daybreak.schedule;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Working hours on some weekdays of a range of days.
 *
 * @param toDate the last day; null for a standing timetable, which goes on until further notice
 */
record Timetable(LocalDate fromDate, @Nullable LocalDate toDate, Set<DayOfWeek> weekdays, WorkingHours hours) {

    boolean isStanding() {
        return toDate == null;
    }

    /** The working days among those of the range, both ends included. */
    Stream<LocalDate> days(LocalDate first, LocalDate last) {
        LocalDate from = later(first, fromDate);
        LocalDate to = toDate == null || last.isBefore(toDate) ? last : toDate;
        return from.isAfter(to)
                ? Stream.empty()
                : from.datesUntil(to.plusDays(1)).filter(day -> weekdays.contains(day.getDayOfWeek()));
    }

    /** Whether the two would make different slots for the same time. Timetables of equal hours never do. */
    boolean conflictsWith(Timetable other) {
        return !hours.equals(other.hours) && hours.overlaps(other.hours) && sharesADayWith(other);
    }

    private boolean sharesADayWith(Timetable other) {
        LocalDate from = later(fromDate, other.fromDate);
        // Every weekday comes up within a week.
        return days(from, from.plusDays(6))
                .anyMatch(day -> other.days(day, day).findAny().isPresent());
    }

    private static LocalDate later(LocalDate one, LocalDate other) {
        return one.isAfter(other) ? one : other;
    }
}
