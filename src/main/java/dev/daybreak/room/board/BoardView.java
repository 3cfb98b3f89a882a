package dev.daybreak.room.board;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rooms of a day, by name. */
record BoardView(LocalDate date, String zone, Instant from, Instant to, List<RoomOfTheDay> rooms) {

    static final String EXAMPLE = """
            {"date": "2026-10-12", "zone": "Europe/Berlin", "from": "2026-10-11T22:00:00Z", "to": "2026-10-12T22:00:00Z",
             "rooms": [{"id": 3, "name": "Library", "seats": 8, "active": true, "entries": [
              {"kind": "RESERVED", "id": 812, "startAt": "2026-10-12T07:00:00Z", "endAt": "2026-10-12T08:30:00Z", "occupant": "CURRENT"},
              {"kind": "HELD", "id": 4503599627370497, "startAt": "2026-10-12T09:00:00Z", "endAt": "2026-10-12T09:30:00Z",
               "expiresAt": "2026-10-12T07:20:00.012Z"}]}]}""";

    /**
     * A room and what takes it, by start; what goes over midnight is there on both days, with its whole time.
     *
     * @param active false if it takes no new reservations
     */
    record RoomOfTheDay(
            long id, String name, int seats, @Nullable String description, boolean active, List<Entry> entries) {}

    /**
     * A time for which the room is taken.
     *
     * @param name who has it, as far as everybody may know
     * @param occupant of the reservation that has the room now, and of the one that has it next
     * @param expiresAt when a hold ends by itself
     */
    record Entry(
            Kind kind,
            long id,
            Instant startAt,
            Instant endAt,
            @Nullable String name,
            @Nullable Occupant occupant,
            @Nullable Instant expiresAt) {}

    enum Kind {
        RESERVED,
        HELD
    }

    enum Occupant {
        CURRENT,
        NEXT
    }
}
