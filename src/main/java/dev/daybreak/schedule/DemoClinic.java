package dev.daybreak.schedule;

import static java.time.DayOfWeek.FRIDAY;
import static java.time.DayOfWeek.MONDAY;
import static java.time.DayOfWeek.SATURDAY;
import static java.time.DayOfWeek.THURSDAY;
import static java.time.DayOfWeek.TUESDAY;
import static java.time.DayOfWeek.WEDNESDAY;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The invented doctors of the demonstration and the hours they keep. */
final class DemoClinic {

    private static final Set<DayOfWeek> WORKDAYS = EnumSet.range(MONDAY, FRIDAY);
    private static final MinuteRange LUNCH = range(12, 13);

    static final List<Entry> DOCTORS = List.of(
            new Entry("Dr. Lena Brandt", "General practice", WORKDAYS, hours(range(8, 17), 20, LUNCH)),
            new Entry("Dr. Amara Okonkwo", "General practice", WORKDAYS, hours(range(9, 18), 20, range(13, 14))),
            new Entry("Dr. Tomasz Wilk", "General practice", EnumSet.range(MONDAY, SATURDAY), hours(range(8, 13), 15)),
            new Entry("Dr. Haruka Mori", "Paediatrics", WORKDAYS, hours(range(8, 16), 20, LUNCH)),
            new Entry("Dr. Mateo Ferrara", "Paediatrics", EnumSet.of(TUESDAY, THURSDAY), hours(range(14, 19), 20)),
            new Entry("Dr. Han Ji-woo", "Dermatology", WORKDAYS, hours(range(9, 17), 15, LUNCH)),
            new Entry("Dr. Elif Aydın", "Dermatology", EnumSet.of(MONDAY, WEDNESDAY), hours(range(10, 18), 15)),
            new Entry("Dr. Priya Raghavan", "Cardiology", WORKDAYS, hours(range(8, 16), 30, LUNCH)),
            new Entry("Dr. Sofia Lindqvist", "Gynaecology", WORKDAYS, hours(range(9, 17), 30, range(12, 14))),
            new Entry("Dr. Daniel Mbeki", "Orthopaedics", EnumSet.range(MONDAY, THURSDAY), hours(range(8, 15), 20)),
            new Entry("Dr. Noa Peretz", "Ophthalmology", EnumSet.range(TUESDAY, FRIDAY), hours(range(9, 16), 20)),
            new Entry("Dr. Leilani Kahale", "Psychiatry", EnumSet.of(MONDAY, FRIDAY), hours(range(10, 18), 45, LUNCH)),
            new Entry(
                    "Vaccination clinic",
                    "Vaccination",
                    EnumSet.range(MONDAY, SATURDAY),
                    new WorkingHours(range(8, 18), 30, 10, List.of())));

    private DemoClinic() {}

    record Entry(String name, String specialty, Set<DayOfWeek> weekdays, WorkingHours hours) {

        Timetable standingFrom(LocalDate day) {
            return new Timetable(day, null, weekdays, hours);
        }
    }

    private static WorkingHours hours(MinuteRange hours, int slotMinutes, MinuteRange... breaks) {
        return new WorkingHours(hours, slotMinutes, 1, List.of(breaks));
    }

    private static MinuteRange range(int fromHour, int toHour) {
        return new MinuteRange(fromHour * 60, toHour * 60);
    }
}
