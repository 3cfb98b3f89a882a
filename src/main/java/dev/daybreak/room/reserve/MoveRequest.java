package dev.daybreak.room.reserve;

import dev.daybreak.platform.web.Input;
import dev.daybreak.room.Reservation;
import dev.daybreak.room.RoomTimes;
import dev.daybreak.room.TimeRange;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The body of a move, for the description of the API; and how it is read.
 *
 * @param roomId the same room if not given
 */
record MoveRequest(
        Instant startAt,
        Instant endAt,
        @Nullable Long roomId,
        @Nullable String holdToken) {

    static final String EXAMPLE = """
            {"startAt": "2026-10-12T10:00:00+02:00", "endAt": "2026-10-12T11:00:00+02:00", "roomId": 4}""";

    /** @param roomId null for the room it has */
    record Place(
            TimeRange range,
            @Nullable Long roomId,
            @Nullable String holdToken) {

        Claim.Move claimFor(Reservation reservation) {
            long room = roomId == null ? reservation.roomId() : roomId;
            return new Claim.Move(reservation.id(), room, range, holdToken);
        }
    }

    static Place read(Input input, RoomTimes times) {
        var place = new Place(times.readForMove(input), input.optionalId("roomId"), ReserveRequest.holdToken(input));
        input.complete();
        return place;
    }
}
