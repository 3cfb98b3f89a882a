package dev.daybreak.schedule;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as the client reads it.
 *
 * @param toDate the last day; none for a standing schedule
 */
record ScheduleView(
        long id,
        long doctorId,
        LocalDate fromDate,
        @Nullable LocalDate toDate,
        Set<DayOfWeek> weekdays,
        String startTime,
        String endTime,
        @Nullable Integer slotMinutes,
        @Nullable Integer capacity,
        List<Break> breaks,
        ScheduleMode mode) {

    static ScheduleView of(Schedule schedule) {
        return of(schedule.id(), schedule.doctorId(), schedule.timetable());
    }

    static ScheduleView of(long id, long doctorId, Timetable timetable) {
        WorkingHours hours = timetable.hours();
        return new ScheduleView(
                id,
                doctorId,
                timetable.fromDate(),
                timetable.toDate(),
                timetable.weekdays(),
                hours.hours().startTime(),
                hours.hours().endTime(),
                hours.isFlexible() ? null : hours.slotMinutes(),
                hours.isFlexible() ? null : hours.capacity(),
                hours.breaks().stream()
                        .map(pause -> new Break(pause.startTime(), pause.endTime()))
                        .toList(),
                hours.mode());
    }
}
