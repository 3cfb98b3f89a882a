package dev.daybreak.availability.day;

import dev.daybreak.platform.web.Input;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Slot;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;

/** One doctor's day in a zone: the instants from its start to the start of the next, 23 to 25 hours. */
public record DoctorDay(long doctorId, LocalDate date, ZoneId zone) {

    /** The day asked for: path variable {@code id}, parameters {@code date} and {@code zone}, by default the clinic's. */
    public static DoctorDay from(Input input, ZoneId clinic) {
        return new DoctorDay(input.id("id"), input.date("date"), input.zone("zone", clinic));
    }

    /** The clinic's day that a slot belongs to. */
    public static DoctorDay of(Slot slot, ClinicSettings clinic) {
        return new DoctorDay(slot.doctorId(), clinic.dayOf(slot.startAt()), clinic.zone());
    }

    public Instant from() {
        return date.atStartOfDay(zone).toInstant();
    }

    public Instant to() {
        return date.plusDays(1).atStartOfDay(zone).toInstant();
    }

    /** The clinic's days that this day of any zone falls into, in order: one, two or, where clocks change, three. */
    public List<DoctorDay> clinicDays(ClinicSettings clinic) {
        if (zone.equals(clinic.zone())) {
            return List.of(this);
        }
        return clinic.dayOf(from())
                .datesUntil(clinic.dayOf(to().minusNanos(1)).plusDays(1))
                .map(day -> new DoctorDay(doctorId, day, clinic.zone()))
                .toList();
    }
}
