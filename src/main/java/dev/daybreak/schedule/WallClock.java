package dev.daybreak.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;

/** What the clock on the clinic's wall shows, also while it is being changed. */
record WallClock(ZoneRules rules) {

    static WallClock of(ClinicSettings clinic) {
        return new WallClock(clinic.zone().getRules());
    }

    /** The instants at which it shows that minute of the day: one, or none or two where it is changed. */
    List<Instant> instants(LocalDate day, int minute) {
        LocalDateTime local = at(day, minute);
        return rules.getValidOffsets(local).stream().map(local::toInstant).toList();
    }

    /** Whether it shows a time of that part of the day from start to end, all along. */
    boolean liesWithin(MinuteRange part, LocalDate day, Instant startAt, Instant endAt) {
        LocalDateTime begin = at(day, part.start());
        LocalDateTime end = at(day, part.end());
        for (Instant from = startAt; from.isBefore(endAt); ) {
            Instant to = changeBefore(endAt, from);
            LocalDateTime local = LocalDateTime.ofEpochSecond(from.getEpochSecond(), 0, rules.getOffset(from));
            if (local.isBefore(begin) || local.plus(Duration.between(from, to)).isAfter(end)) {
                return false;
            }
            from = to;
        }
        return true;
    }

    private Instant changeBefore(Instant end, Instant from) {
        ZoneOffsetTransition change = rules.nextTransition(from);
        return change == null || change.getInstant().isAfter(end) ? end : change.getInstant();
    }

    private static LocalDateTime at(LocalDate day, int minute) {
        return day.atStartOfDay().plusMinutes(minute);
    }
}
