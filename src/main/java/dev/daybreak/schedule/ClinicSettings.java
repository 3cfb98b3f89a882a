package dev.daybreak.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Where the clinic is and when it opens its slots for booking.
 *
 * @param zone the time zone of working hours, days and the opening time
 * @param openingTime the local time at which a day's slots become bookable
 * @param openingDays how many days before the slot's day that is
 */
@ConfigurationProperties("daybreak.clinic")
public record ClinicSettings(
        @DefaultValue("Europe/Berlin") ZoneId zone,
        @DefaultValue("07:00") LocalTime openingTime,
        @DefaultValue("14") int openingDays) {

    public ClinicSettings {
        Assert.isTrue(openingDays >= 0 && openingDays <= 365, "daybreak.clinic.opening-days must be 0 to 365");
        Assert.isTrue(openingTime.getNano() == 0, "daybreak.clinic.opening-time must be whole seconds");
    }

    /** The day in the clinic's zone. */
    public LocalDate dayOf(Instant instant) {
        return LocalDate.ofInstant(instant, zone);
    }

    /** When the slots of a day become bookable; an opening time that the day leaves out moves behind the gap. */
    public Instant opensAt(LocalDate day) {
        return day.minusDays(openingDays).atTime(openingTime).atZone(zone).toInstant();
    }

    /** The last day of standing schedules that has slots: a day more than is open, so that an opening finds them made. */
    LocalDate horizon(Instant now) {
        return dayOf(now).plusDays(openingDays + 1L);
    }
}
