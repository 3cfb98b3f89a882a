package dev.daybreak.schedule;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Working hours and timetables in few words. */
final class Hours {

    static final Set<DayOfWeek> EVERY_DAY = EnumSet.allOf(DayOfWeek.class);

    private Hours() {}

    static WorkingHours hours(String hours, int slotMinutes, String... breaks) {
        return new WorkingHours(
                range(hours),
                slotMinutes,
                1,
                Arrays.stream(breaks).map(Hours::range).toList());
    }

    static WorkingHours withCapacity(int capacity, WorkingHours hours) {
        return new WorkingHours(hours.hours(), hours.slotMinutes(), capacity, hours.breaks());
    }

    static Timetable daily(LocalDate from, LocalDate to, WorkingHours hours) {
        return new Timetable(from, to, EVERY_DAY, hours);
    }

    static SlotPlan plan(WorkingHours hours, String day, String zone) {
        LocalDate date = LocalDate.parse(day);
        return plan(daily(date, date, hours), zone);
    }

    static SlotPlan plan(Timetable timetable, String zone) {
        LocalDate to = timetable.toDate();
        return SlotPlan.of(1, timetable, timetable.fromDate(), to == null ? timetable.fromDate() : to, clinic(zone));
    }

    static ClinicSettings clinic(String zone) {
        return new ClinicSettings(ZoneId.of(zone), LocalTime.of(7, 0), 14);
    }

    /** The starts as instants, in order. */
    static List<String> starts(SlotPlan plan) {
        return plan.slots().stream().map(slot -> slot.startAt().toString()).toList();
    }

    private static MinuteRange range(String hours) {
        String[] ends = hours.split("-");
        return new MinuteRange(minute(ends[0]), minute(ends[1]));
    }

    private static int minute(String time) {
        String[] parts = time.split(":");
        return Integer.parseInt(parts[0]) * 60 + Integer.parseInt(parts[1]);
    }
}
