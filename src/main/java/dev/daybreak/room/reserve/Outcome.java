package dev.daybreak.room.reserve;

import dev.daybreak.room.Reservation;

/** What became of a claim. Only {@link Reserved} and {@link Moved} changed anything. */
sealed interface Outcome {

    /** The room was free, and is theirs now. */
    record Reserved(Reservation reservation) implements Outcome {}

    /** The same claim, by its key, was reserved before; whether its password is the same is still to be seen. */
    record Known(long reservationId) implements Outcome {}

    /** The same claim was reserved before; this is the reservation as it is now. */
    record Replayed(Reservation reservation) implements Outcome {}

    /** The reservation has the place it was to have, now or before. */
    record Moved(long reservationId) implements Outcome {}

    /** Nothing was changed. */
    enum Refused implements Outcome {
        /** Another reservation has the room for a part of the time. */
        RESERVATION_CONFLICT,
        /** Somebody else holds it for a part of the time. */
        HOLD_CONFLICT,
        ROOM_NOT_FOUND,
        /** The clinic takes no reservations for the room. */
        ROOM_CLOSED,
        /** The key belongs to another reservation. */
        KEY_REUSED,
        RESERVATION_NOT_FOUND,
        /** The reservation is cancelled, or its time is over. */
        NOT_ACTIVE,
        /** A reservation cannot be moved to where it would have begun before. */
        PAST
    }
}
