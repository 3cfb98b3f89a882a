package dev.daybreak.room.reserve;

import dev.daybreak.room.TimeRange;
import org.jspecify.annotations.Nullable;

/** What somebody wants of a room, and waits in its queue for. */
sealed interface Claim {

    /** The room that is wanted. */
    long roomId();

    TimeRange range();

    /** Of the hold that keeps others off the range while this one is made; null if there is none. */
    @Nullable
    String holdToken();

    /**
     * A new reservation.
     *
     * @param key the Idempotency-Key, if one was sent
     */
    record Reserve(
            long roomId,
            TimeRange range,
            String name,
            String password,
            @Nullable String key,
            @Nullable String holdToken)
            implements Claim {

        /** Keeps the password out of logs. */
        @Override
        public String toString() {
            return "Reserve[" + roomId + ", " + range + "]";
        }
    }

    /** Another time, another room or both for a reservation, whose password was right. */
    record Move(
            long reservationId,
            long roomId,
            TimeRange range,
            @Nullable String holdToken) implements Claim {

        @Override
        public String toString() {
            return "Move[" + reservationId + ", " + roomId + ", " + range + "]";
        }
    }
}
