package dev.daybreak.schedule;

import dev.daybreak.platform.web.Input;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Other working hours for a schedule as the client writes them, for the description of the API; they are read as a
 * {@link Hours}. What is not in here cannot change: for other slots, a schedule is ended and another published.
 *
 * @param toDate the last day; without it the schedule stands until further notice
 */
record ScheduleChangeRequest(
        @Nullable LocalDate toDate,
        Set<DayOfWeek> weekdays,
        String startTime,
        String endTime,
        @Nullable List<Break> breaks,
        @Nullable String reason,
        @Nullable Boolean force,
        @Nullable Boolean dryRun) {

    /** The hours wanted, and on which terms. */
    record Hours(
            @Nullable LocalDate toDate,
            Set<DayOfWeek> weekdays,
            MinuteRange hours,
            List<MinuteRange> breaks,
            Terms terms) {

        /** The timetable with these hours; throws a refusal if it would end before it begins. */
        Timetable of(Timetable old) {
            ScheduleRequest.requireOrder(old.fromDate(), toDate);
            WorkingHours before = old.hours();
            return new Timetable(
                    old.fromDate(),
                    toDate,
                    weekdays,
                    new WorkingHours(hours, before.slotMinutes(), before.capacity(), breaks));
        }
    }

    static Hours read(Input input) {
        LocalDate to = input.optionalDate("toDate");
        Set<DayOfWeek> weekdays = input.weekdays("weekdays");
        MinuteRange hours = ScheduleRequest.range(input);
        List<MinuteRange> breaks = Break.read(input, ScheduleRequest.around(input, hours));
        var wish = new Hours(to, weekdays, hours, breaks, Terms.read(input));
        input.complete();
        return wish;
    }
}
