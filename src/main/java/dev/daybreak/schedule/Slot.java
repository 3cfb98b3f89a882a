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

    /** The columns {@link #from} reads, for a select from {@code time_slot s}. */
    static final String COLUMNS = "s.id AS slot_id, s.doctor_id, s.start_at, s.end_at, s.capacity, s.booked_count,"
            + " s.opens_at, s.closed, s.version";

    /** Reads a row with the columns of {@code time_slot}, the id named {@code slot_id}. */
    public static Slot from(Readable row) {
        return new Slot(
                required(row, "slot_id", Long.class),
                required(row, "doctor_id", Long.class),
                required(row, "start_at", Instant.class),
                required(row, "end_at", Instant.class),
                required(row, "capacity", Integer.class),
                required(row, "booked_count", Integer.class),
                required(row, "opens_at", Instant.class),
                required(row, "closed", Boolean.class),
                required(row, "version", Long.class));
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

    private static <T> T required(Readable row, String column, Class<T> type) {
        return Objects.requireNonNull(row.get(column, type), column);
    }
}
