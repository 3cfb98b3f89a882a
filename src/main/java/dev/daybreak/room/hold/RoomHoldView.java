package dev.daybreak.room.hold;

import dev.daybreak.room.TimeRange;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A hold as whoever asked for it sees it.
 *
 * @param token the secret that extends and releases it and turns it into a reservation; told once
 */
record RoomHoldView(
        long id,
        long roomId,
        Instant startAt,
        Instant endAt,
        @Nullable String token,
        Instant expiresAt) {

    static final String EXAMPLE = """
            {"id": 4503599627370497, "roomId": 3, "startAt": "2026-10-12T07:00:00Z", "endAt": "2026-10-12T08:30:00Z",
             "token": "4503599627370497.wT0oW2mS8C1n6o3Zl7Q4rXb9Jk5eHq2A", "expiresAt": "2026-10-12T06:55:00.012Z"}""";

    static final String EXTENDED_EXAMPLE = """
            {"id": 4503599627370497, "roomId": 3, "startAt": "2026-10-12T07:00:00Z", "endAt": "2026-10-12T08:30:00Z",
             "expiresAt": "2026-10-12T06:58:20.5Z"}""";

    static RoomHoldView of(HeldRange hold, @Nullable HoldKey key) {
        TimeRange range = hold.range();
        return new RoomHoldView(
                hold.id(),
                hold.roomId(),
                range.start(),
                range.end(),
                key == null ? null : key.token(),
                hold.expiresAt());
    }
}
