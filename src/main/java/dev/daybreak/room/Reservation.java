package dev.daybreak.room;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who has a room when, as it was when read. Never deleted: it ends as cancelled, or by its time.
 *
 * @param name who has the room, as they call themselves; not for strangers
 * @param revision counts the changes, from 1
 * @param changes what happened to it after it was made, oldest first
 * @param cancelledBy {@value #OWNER}, or a name of the clinic's staff
 */
public record Reservation(
        long id,
        long roomId,
        TimeRange range,
        String name,
        ReservationStatus status,
        int revision,
        Instant createdAt,
        List<Change> changes,
        @Nullable Instant cancelledAt,
        @Nullable String cancelledBy,
        @Nullable String cancelReason) {

    /** Who makes a change with the reservation's password. */
    public static final String OWNER = "owner";

    /** A step in the life of a reservation; rooms and times are those of a move. */
    public record Change(
            Instant at,
            String by,
            Kind change,
            @Nullable String reason,
            @Nullable Long fromRoomId,
            @Nullable Long toRoomId,
            @Nullable Instant fromStartAt,
            @Nullable Instant fromEndAt,
            @Nullable Instant toStartAt,
            @Nullable Instant toEndAt) {

        /** What a step was. */
        public enum Kind {
            RESERVED,
            MOVED,
            CANCELLED
        }
    }

    /** Its whole life, beginning with how it was made. */
    public List<Change> history() {
        var made = new Change(createdAt, OWNER, Change.Kind.RESERVED, null, null, null, null, null, null, null);
        return Stream.concat(Stream.of(made), changes.stream()).toList();
    }

    public boolean isActive() {
        return status == ReservationStatus.ACTIVE;
    }
}
