package dev.daybreak.room.hold;

import java.time.Instant;

/** The time of a room to be held, for the description of the call; it is read by {@link dev.daybreak.room.RoomTimes}. */
record HoldRequest(Instant startAt, Instant endAt) {

    static final String EXAMPLE = """
            {"startAt": "2026-10-12T07:00:00Z", "endAt": "2026-10-12T08:30:00Z"}""";
}
