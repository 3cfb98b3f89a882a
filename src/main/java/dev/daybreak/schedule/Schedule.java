package dev.daybreak.schedule;

import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * A published timetable of a doctor.
 *
 * @param filledUntil the day up to which a standing one has its slots; null for the others, which have them all
 * @param revision rises with every change
 */
record Schedule(
        long id,
        long doctorId,
        Timetable timetable,
        @Nullable LocalDate filledUntil,
        int revision) {}
