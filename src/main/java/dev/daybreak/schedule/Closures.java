package dev.daybreak.schedule;

import static dev.daybreak.platform.sql.Columns.required;

import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import reactor.core.publisher.Mono;

/** The closures of doctors and of the whole clinic. */
class Closures {

    private static final String COLUMNS = """
            c.id, c.doctor_id, c.from_at, c.to_at, c.whole_days, c.reason
            """;

    // Whoever makes slots keeps closures as they are, and whoever makes closures waits for slots that are being made:
    // otherwise each would miss what the other has not committed yet. Neither bookings nor lists wait for it.
    private static final String FREEZE = "LOCK TABLE closure IN SHARE MODE";

    private static final String LOCK = "LOCK TABLE closure IN SHARE ROW EXCLUSIVE MODE";

    private static final String FIND = "SELECT " + COLUMNS + "FROM closure c WHERE c.id = :id";

    private static final String SAME = "SELECT " + COLUMNS + """
            FROM closure c
            WHERE c.doctor_id IS NOT DISTINCT FROM :doctor::bigint AND c.from_at = :from AND c.to_at = :to
            ORDER BY c.id LIMIT 1""";

    private static final String LIST = "SELECT " + COLUMNS + """
            FROM closure c
            WHERE (c.doctor_id IS NULL OR c.doctor_id = :doctor::bigint)
              AND (:from::timestamptz IS NULL OR c.to_at > :from) AND (:to::timestamptz IS NULL OR c.from_at < :to)
            ORDER BY c.from_at, c.id
            LIMIT 1000""";

    private static final String COVERING = """
            SELECT c.id FROM closure c
            WHERE (c.doctor_id IS NULL OR c.doctor_id = :doctor) AND c.to_at > :start AND c.from_at < :end
            ORDER BY c.id LIMIT 1""";

    private static final String INSERT = """
            INSERT INTO closure AS c (doctor_id, from_at, to_at, whole_days, reason, created_at)
            VALUES (:doctor, :from, :to, :days, :reason, :now)
            RETURNING\s""" + COLUMNS;

    private static final String UPDATE = """
            UPDATE closure c SET from_at = :from, to_at = :to, whole_days = :days, reason = :reason
            WHERE c.id = :id
            RETURNING\s""" + COLUMNS;

    private static final String DELETE = "DELETE FROM closure WHERE id = :id";

    private final DatabaseClient database;

    Closures(DatabaseClient database) {
        this.database = database;
    }

    /** Keeps everybody from changing closures until the transaction ends; before any other lock. */
    Mono<Void> freeze() {
        return database.sql(FREEZE).then();
    }

    /** As {@link #freeze}, and keeps everybody from making slots too. */
    Mono<Void> lock() {
        return database.sql(LOCK).then();
    }

    Mono<Closure> find(long id) {
        return database.sql(FIND).bind("id", id).map(Closures::closure).one();
    }

    /** Emits the closure of that doctor and time, or nothing if there is none. */
    Mono<Closure> same(@Nullable Long doctorId, ClosureRange range) {
        return database.sql(SAME)
                .bind("doctor", optional(doctorId, Long.class))
                .bind("from", range.from())
                .bind("to", range.to())
                .map(Closures::closure)
                .one();
    }

    /** By start, those of the doctor and those of the whole clinic; without a doctor the latter only. */
    Mono<List<Closure>> list(@Nullable Long doctorId, @Nullable Instant from, @Nullable Instant to) {
        return database.sql(LIST)
                .bind("doctor", optional(doctorId, Long.class))
                .bind("from", optional(from))
                .bind("to", optional(to))
                .map(Closures::closure)
                .all()
                .collectList();
    }

    /** Emits the id of a closure that keeps the slot closed, or nothing. */
    Mono<Long> covering(Slot slot) {
        return database.sql(COVERING)
                .bind("doctor", slot.doctorId())
                .bind("start", slot.startAt())
                .bind("end", slot.endAt())
                .mapValue(Long.class)
                .one();
    }

    Mono<Closure> add(@Nullable Long doctorId, ClosureRange range, @Nullable String reason, Instant now) {
        return database.sql(INSERT)
                .bind("doctor", optional(doctorId, Long.class))
                .bind("from", range.from())
                .bind("to", range.to())
                .bind("days", range.wholeDays())
                .bind("reason", optional(reason, String.class))
                .bind("now", now)
                .map(Closures::closure)
                .one();
    }

    Mono<Closure> change(long id, ClosureRange range, @Nullable String reason) {
        return database.sql(UPDATE)
                .bind("id", id)
                .bind("from", range.from())
                .bind("to", range.to())
                .bind("days", range.wholeDays())
                .bind("reason", optional(reason, String.class))
                .map(Closures::closure)
                .one();
    }

    Mono<Long> remove(long id) {
        return database.sql(DELETE).bind("id", id).fetch().rowsUpdated();
    }

    private static <T> Parameter optional(@Nullable T value, Class<T> type) {
        return Parameter.fromOrEmpty(value, type);
    }

    private static Object optional(@Nullable Instant value) {
        return value == null ? Parameters.in(R2dbcType.TIMESTAMP_WITH_TIME_ZONE) : value;
    }

    private static Closure closure(Readable row) {
        return new Closure(
                required(row, "id", Long.class),
                row.get("doctor_id", Long.class),
                new ClosureRange(
                        required(row, "from_at", Instant.class),
                        required(row, "to_at", Instant.class),
                        required(row, "whole_days", Boolean.class)),
                row.get("reason", String.class));
    }
}
