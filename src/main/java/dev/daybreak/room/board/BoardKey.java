package dev.daybreak.room.board;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * Which board is asked for.
 *
 * @param date null for today's, whichever day that is
 */
record BoardKey(@Nullable LocalDate date, ZoneId zone) {

    /** The day that is meant at that moment. */
    BoardDay dayAt(Instant now) {
        return date == null ? BoardDay.at(now, zone) : new BoardDay(date, zone);
    }
}
