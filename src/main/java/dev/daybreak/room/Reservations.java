package dev.daybreak.room;

import static dev.daybreak.platform.sql.Columns.required;

import dev.daybreak.room.Reservation.Change;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Reads the table {@code reservation}, over the common connections. */
public final class Reservations {

    /** So many active reservations are read at once at most; a hundred rooms have fewer on the busiest of days. */
    public static final int MOST = 5_000;

    /** Of {@code reservation r}, for {@link #read}. */
    public static final String COLUMNS = """
            r.id, r.room_id, r.start_at, r.end_at, r.name, r.status, r.revision, r.created_at, CAST(r.history AS text) AS history,
            r.cancelled_at, r.cancelled_by, r.cancel_reason
            """;

    private static final String FIND = "SELECT " + COLUMNS + "FROM reservation r WHERE r.id = :id";

    // By the constraint's index, room by room: it begins with the room.
    private static final String BETWEEN = "SELECT " + COLUMNS + """
            FROM room o JOIN reservation r ON r.room_id = o.id
            WHERE r.status = 'ACTIVE' AND tstzrange(r.start_at, r.end_at) && tstzrange(:from, :to)
            ORDER BY r.start_at, r.id
            LIMIT :limit
            """;

    private static final String ANY_IN = """
            SELECT EXISTS (
                SELECT FROM reservation r
                WHERE r.room_id = :room AND r.status = 'ACTIVE' AND tstzrange(r.start_at, r.end_at) && tstzrange(:from, :to))
            """;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final DatabaseClient database;

    public Reservations(DatabaseClient database) {
        this.database = database;
    }

    /** Emits the reservation, cancelled or not. Empty if there is none. */
    public Mono<Reservation> find(long id) {
        return database.sql(FIND).bind("id", id).map(Reservations::read).one();
    }

    /** Emits the active reservations of all rooms that overlap with {@code [from, to)}, by start; {@value #MOST} at most. */
    public Mono<List<Reservation>> between(Instant from, Instant to) {
        return database.sql(BETWEEN)
                .bind("from", from)
                .bind("to", to)
                .bind("limit", MOST)
                .map(Reservations::read)
                .all()
                .collectList();
    }

    /** Emits whether an active reservation of the room has a part of the range. */
    public Mono<Boolean> anyIn(long roomId, TimeRange range) {
        return database.sql(ANY_IN)
                .bind("room", roomId)
                .bind("from", range.start())
                .bind("to", range.end())
                .mapValue(Boolean.class)
                .one();
    }

    /** A row of {@link #COLUMNS}. */
    public static Reservation read(Readable row) {
        return new Reservation(
                required(row, "id", Long.class),
                required(row, "room_id", Long.class),
                new TimeRange(required(row, "start_at", Instant.class), required(row, "end_at", Instant.class)),
                required(row, "name", String.class),
                ReservationStatus.valueOf(required(row, "status", String.class)),
                required(row, "revision", Integer.class),
                required(row, "created_at", Instant.class),
                changes(row.get("history", String.class)),
                row.get("cancelled_at", Instant.class),
                row.get("cancelled_by", String.class),
                row.get("cancel_reason", String.class));
    }

    private static List<Change> changes(@Nullable String history) {
        return history == null ? List.of() : List.of(JSON.readValue(history, Change[].class));
    }
}
