package dev.daybreak.room.board;

import dev.daybreak.room.TimeRange;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/** A day of a zone, 23 to 25 hours. */
record BoardDay(LocalDate date, ZoneId zone) {

    static BoardDay at(Instant instant, ZoneId zone) {
        return new BoardDay(LocalDate.ofInstant(instant, zone), zone);
    }

    Instant from() {
        return date.atStartOfDay(zone).toInstant();
    }

    Instant to() {
        return date.plusDays(1).atStartOfDay(zone).toInstant();
    }

    TimeRange range() {
        return new TimeRange(from(), to());
    }
}
