package dev.daybreak.availability;

import dev.daybreak.platform.web.Input;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/** One doctor's day in a zone: the instants from its start to the start of the next, 23 to 25 hours. */
record DoctorDay(long doctorId, LocalDate date, ZoneId zone) {

    static DoctorDay from(Input input, ZoneId clinic) {
        return new DoctorDay(input.id("id"), input.date("date"), input.zone("zone", clinic));
    }

    Instant from() {
        return date.atStartOfDay(zone).toInstant();
    }

    Instant to() {
        return date.plusDays(1).atStartOfDay(zone).toInstant();
    }
}
