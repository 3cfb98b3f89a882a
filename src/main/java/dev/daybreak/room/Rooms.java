package dev.daybreak.room;

import static dev.daybreak.platform.sql.Columns.required;

import io.r2dbc.spi.Readable;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import reactor.core.publisher.Mono;

/** The rooms. */
public final class Rooms {

    /** So many rooms are listed at most. */
    public static final int MOST = 1_000;

    private static final String COLUMNS = "o.id, o.name, o.seats, o.description, o.active, o.version";

    private static final String FIND = "SELECT " + COLUMNS + " FROM room o WHERE o.id = :id";

    private static final String LOCK = FIND + " FOR NO KEY UPDATE";

    private static final String LIST = "SELECT " + COLUMNS + """
             FROM room o
            WHERE o.active OR :inactive
            ORDER BY o.name, o.id
            LIMIT :limit
            """;

    private static final String ADD = """
            INSERT INTO room AS o (name, seats, description, active)
            VALUES (:name, :seats, :description, :active)
            ON CONFLICT ON CONSTRAINT uq_room_name DO NOTHING
            RETURNING\s""" + COLUMNS;

    private static final String CHANGE = """
            UPDATE room o
            SET name = :name, seats = :seats, description = :description, active = :active, version = o.version + 1
            WHERE o.id = :id
            RETURNING\s""" + COLUMNS;

    private static final String ADD_IF_NONE = """
            INSERT INTO room (name, seats, description)
            SELECT u.name, u.seats, u.description
            FROM unnest($1::text[], $2::integer[], $3::text[]) AS u (name, seats, description)
            WHERE NOT EXISTS (SELECT FROM room)
            ON CONFLICT DO NOTHING
            """;

    private final DatabaseClient database;

    public Rooms(DatabaseClient database) {
        this.database = database;
    }

    /** Emits the room, active or not. Empty if there is none. */
    public Mono<Room> find(long id) {
        return database.sql(FIND).bind("id", id).map(Rooms::read).one();
    }

    /** As {@link #find}, and keeps everybody else from changing it until the transaction ends. */
    Mono<Room> lock(long id) {
        return database.sql(LOCK).bind("id", id).map(Rooms::read).one();
    }

    /** Emits the rooms by name, {@value #MOST} at most. */
    public Mono<List<Room>> list(boolean withInactive) {
        return database.sql(LIST)
                .bind("inactive", withInactive)
                .bind("limit", MOST)
                .map(Rooms::read)
                .all()
                .collectList();
    }

    /** Emits the new room. Empty if another has the name. */
    Mono<Room> add(RoomRequest room) {
        return bind(database.sql(ADD), room).map(Rooms::read).one();
    }

    /** Emits the room as it is now. Empty if there is none; errors with a unique violation if another has the name. */
    Mono<Room> change(long id, RoomRequest room) {
        return bind(database.sql(CHANGE), room).bind("id", id).map(Rooms::read).one();
    }

    /** Emits how many were added: all, or none where there are rooms. */
    Mono<Long> addIfThereIsNone(List<RoomRequest> rooms) {
        return database.sql(ADD_IF_NONE)
                .bind(0, rooms.stream().map(RoomRequest::name).toArray(String[]::new))
                .bind(1, rooms.stream().map(RoomRequest::seats).toArray(Integer[]::new))
                .bind(2, rooms.stream().map(RoomRequest::description).toArray(String[]::new))
                .fetch()
                .rowsUpdated();
    }

    private static DatabaseClient.GenericExecuteSpec bind(
            DatabaseClient.GenericExecuteSpec statement, RoomRequest room) {
        return statement
                .bind("name", room.name())
                .bind("seats", room.seats())
                .bind("description", Parameter.fromOrEmpty(room.description(), String.class))
                .bind("active", room.active());
    }

    private static Room read(Readable row) {
        return new Room(
                required(row, "id", Long.class),
                required(row, "name", String.class),
                required(row, "seats", Integer.class),
                row.get("description", String.class),
                required(row, "active", Boolean.class),
                required(row, "version", Integer.class));
    }
}
