package dev.daybreak.room.reserve;

import dev.daybreak.room.Reservation;
import dev.daybreak.room.ReservationStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reservation as its owner and the clinic's staff see it. */
record ReservationView(
        long id,
        long roomId,
        Instant startAt,
        Instant endAt,
        String name,
        ReservationStatus status,
        int revision,
        Instant createdAt,
        @Nullable Instant cancelledAt,
        @Nullable String cancelledBy,
        @Nullable String cancelReason,
        List<Reservation.Change> history) {

    static final String EXAMPLE = """
            {"id": 812, "roomId": 3, "startAt": "2026-10-12T07:00:00Z", "endAt": "2026-10-12T08:30:00Z", "name": "Book club",
             "status": "ACTIVE", "revision": 1, "createdAt": "2026-10-11T15:00:00.012Z",
             "history": [{"at": "2026-10-11T15:00:00.012Z", "by": "owner", "change": "RESERVED"}]}""";

    static ReservationView of(Reservation reservation) {
        return new ReservationView(
                reservation.id(),
                reservation.roomId(),
                reservation.range().start(),
                reservation.range().end(),
                reservation.name(),
                reservation.status(),
                reservation.revision(),
                reservation.createdAt(),
                reservation.cancelledAt(),
                reservation.cancelledBy(),
                reservation.cancelReason(),
                reservation.history());
    }
}
