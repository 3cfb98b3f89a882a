package dev.daybreak.schedule;

import static dev.daybreak.schedule.Hours.hours;
import static dev.daybreak.schedule.Hours.withCapacity;
import static java.time.DayOfWeek.MONDAY;
import static java.time.DayOfWeek.SUNDAY;
import static java.time.DayOfWeek.TUESDAY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TimetableTest {

    private final Timetable mornings = timetable("2026-10-01", "2026-10-31", hours("09:00-12:00", 30), MONDAY);

    @Test
    void hoursThatIntersectConflict() {
        assertConflict(mornings, timetable("2026-10-01", "2026-10-31", hours("11:00-14:00", 30), MONDAY), true);
    }

    @Test
    void hoursThatTouchDoNot() {
        assertConflict(mornings, timetable("2026-10-01", "2026-10-31", hours("12:00-14:00", 30), MONDAY), false);
    }

    @Test
    void theSameHoursAreNoConflictWhateverTheirDays() {
        assertConflict(mornings, timetable("2026-10-12", "2027-01-31", hours("09:00-12:00", 30), MONDAY), false);
        assertConflict(mornings, timetable("2026-10-12", null, hours("09:00-12:00", 30), MONDAY, TUESDAY), false);
    }

    @Test
    void anotherCapacityOrGridForTheSameHoursIsAConflict() {
        assertConflict(
                mornings, timetable("2026-10-01", null, withCapacity(2, hours("09:00-12:00", 30)), MONDAY), true);
        assertConflict(mornings, timetable("2026-10-01", null, hours("09:00-12:00", 20), MONDAY), true);
        assertConflict(mornings, timetable("2026-10-01", null, hours("09:00-12:00", 30, "10:00-10:30"), MONDAY), true);
    }

    @Test
    void hoursInABreakAreNoConflict() {
        var day = timetable("2026-10-01", null, hours("08:00-17:00", 30, "12:00-13:00"), MONDAY);

        assertConflict(day, timetable("2026-10-01", null, hours("12:00-13:00", 20), MONDAY), false);
        assertConflict(day, timetable("2026-10-01", null, hours("12:00-13:20", 20), MONDAY), true);
    }

    @Test
    void anotherDayIsNoConflict() {
        var hours = hours("11:00-14:00", 30);

        assertConflict(mornings, timetable("2026-10-01", "2026-10-31", hours, TUESDAY), false);
        assertConflict(mornings, timetable("2026-11-01", "2026-11-30", hours, MONDAY), false);
        // The days in common are a Tuesday to a Sunday.
        assertConflict(mornings, timetable("2026-10-27", "2026-11-30", hours, MONDAY), false);
        assertConflict(mornings, timetable("2026-10-26", "2026-11-30", hours, MONDAY, SUNDAY), true);
    }

    private static void assertConflict(Timetable one, Timetable other, boolean expected) {
        assertThat(one.conflictsWith(other)).isEqualTo(expected);
        assertThat(other.conflictsWith(one)).isEqualTo(expected);
    }

    private static Timetable timetable(String from, @Nullable String to, WorkingHours hours, DayOfWeek... days) {
        return new Timetable(
                LocalDate.parse(from), to == null ? null : LocalDate.parse(to), EnumSet.of(days[0], days), hours);
    }
}
