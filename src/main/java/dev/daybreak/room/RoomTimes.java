package dev.daybreak.room;

import dev.daybreak.platform.web.Input;
import dev.daybreak.schedule.ClinicSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;

/** The times for which the clinic lends its rooms: on the grid, while it is open, not too long and not too far ahead. */
public final class RoomTimes {

    private static final TimeRange HARMLESS = new TimeRange(Instant.EPOCH, Instant.EPOCH.plusSeconds(1));

    private final RoomSettings settings;
    private final ZoneId zone;
    private final Clock clock;

    public RoomTimes(RoomSettings settings, ClinicSettings clinic, Clock clock) {
        this.settings = settings;
        this.zone = clinic.zone();
        this.clock = clock;
    }

    /**
     * Reads {@code startAt} and {@code endAt}, and notes what is wrong with them. What has begun can still be had while its first
     * step of the grid lasts.
     */
    public TimeRange read(Input input) {
        TimeRange range = readForMove(input);
        if (input.isSound("startAt", "endAt")) {
            input.check(!range.start().isBefore(earliest()), "startAt", "not-past");
        }
        return range;
    }

    /** As {@link #read}, but what has begun keeps its start: whether it is past is for whoever knows where it was before. */
    public TimeRange readForMove(Input input) {
        Instant start = input.instant("startAt");
        Instant end = input.instant("endAt");
        if (input.isSound("startAt", "endAt")) {
            input.check(start.isBefore(end), "endAt", "after", "startAt");
        }
        if (!input.isSound("startAt", "endAt")) {
            return HARMLESS;
        }
        var range = new TimeRange(start, end);
        input.check(isOnGrid(start), "startAt", "grid", settings.grid().toMinutes());
        input.check(isOnGrid(end), "endAt", "grid", settings.grid().toMinutes());
        LocalDate last = today().plusDays(settings.daysAhead());
        input.check(!dayOf(start).isAfter(last), "startAt", "not-after", last);
        boolean fits = range.length().compareTo(settings.longestStay()) <= 0;
        input.check(fits, "endAt", "longest-stay", settings.longestStay().toMinutes());
        if (fits) {
            String field = isOpen(start) ? "endAt" : "startAt";
            input.check(isOpen(range), field, "opening-hours", settings.opens(), settings.closes());
        }
        return range;
    }

    /** The first start that can be had now. */
    public Instant earliest() {
        return clock.instant().minus(settings.grid()).plusNanos(1);
    }

    private boolean isOnGrid(Instant instant) {
        ZonedDateTime local = instant.atZone(zone);
        Duration sinceMidnight = Duration.ofNanos(local.toLocalTime().toNanoOfDay());
        return sinceMidnight.toNanos() % settings.grid().toNanos() == 0;
    }

    private boolean isOpen(Instant start) {
        return openUntil(start).isAfter(start);
    }

    // From one day's hours to the next, as they may follow each other without a gap.
    private boolean isOpen(TimeRange range) {
        Instant until = range.start();
        while (until.isBefore(range.end())) {
            Instant further = openUntil(until);
            if (!further.isAfter(until)) {
                return false;
            }
            until = further;
        }
        return true;
    }

    /** The end of the hours that the moment lies in; the moment itself if it lies in none. */
    private Instant openUntil(Instant moment) {
        LocalDate day = dayOf(moment);
        for (LocalDate opened : new LocalDate[] {day.minusDays(1), day}) {
            Instant closes = closes(opened);
            if (!moment.isBefore(opens(opened)) && moment.isBefore(closes)) {
                return closes;
            }
        }
        return moment;
    }

    private Instant opens(LocalDate day) {
        return day.atTime(settings.opens()).atZone(zone).toInstant();
    }

    private Instant closes(LocalDate day) {
        boolean sameDay = settings.closes().isAfter(settings.opens());
        return day.plusDays(sameDay ? 0 : 1)
                .atTime(settings.closes())
                .atZone(zone)
                .toInstant();
    }

    private LocalDate today() {
        return dayOf(clock.instant());
    }

    private LocalDate dayOf(Instant instant) {
        return LocalDate.ofInstant(instant.truncatedTo(ChronoUnit.SECONDS), zone);
    }
}
