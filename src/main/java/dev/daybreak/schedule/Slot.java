package dev.daybreak.schedule;

import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.util.Objects;

/**
 * A bookable time of a doctor, as it was when read.
 *
 * @param bookedCount seats taken by held and booked appointments
 * @param opensAt from when it can be booked
 * @param closed the clinic takes no bookings for it
 * @param version rises with every change; of two states the one with the higher version is the newer
 */
public record Slot(
        long id,
        long doctorId,
        Instant startAt,
        Instant endAt,
        int capacity,
        int bookedCount,
        Instant opensAt,
        boolean closed,
        long version) {

    /** The columns {@link #from(Readable)} reads, for a select from {@code time_slot s}. */
    static final String COLUMNS = "s.id AS slot_id, s.doctor_id, s.start_at, s.end_at, s.capacity, s.booked_count,"
            + " s.opens_at, s.closed, s.version";

    /** Reads nine columns of a row, of which {@code first} is the slot's id and the others follow as in the record. */
    public static Slot fromColumns(Readable row, int first) {
        return new Slot(
                required(row, first, Long.class),
                required(row, first + 1, Long.class),
                required(row, first + 2, Instant.class),
                required(row, first + 3, Instant.class),
                required(row, first + 4, Integer.class),
                required(row, first + 5, Integer.class),
                required(row, first + 6, Instant.class),
                required(row, first + 7, Boolean.class),
                required(row, first + 8, Long.class));
    }

    static Slot from(Readable row) {
        return fromColumns(row, 0);
    }

    /** Seats left. */
    public int remaining() {
        return capacity - bookedCount;
    }

    /** What a patient would be told of it at this moment. */
    public SlotState stateAt(Instant now) {
        if (closed) {
            return SlotState.CLOSED;
        }
        if (!startAt.isAfter(now)) {
            return SlotState.PAST;
        }
        if (opensAt.isAfter(now)) {
            return SlotState.NOT_OPEN_YET;
        }
        return remaining() > 0 ? SlotState.OPEN : SlotState.FULL;
    }

    // By place: the driver finds a name by comparing it with each column's.
    private static <T> T required(Readable row, int column, Class<T> type) {
        return Objects.requireNonNull(row.get(column, type));
    }
}
