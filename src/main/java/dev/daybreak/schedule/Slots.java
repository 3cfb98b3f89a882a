package dev.daybreak.schedule;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The slots of all doctors; the seats in them are booked elsewhere. */
public class Slots {

    // A hold that has expired gave its seat back at that moment, though the row may not say so yet; each counts as a
    // change.
    private static final String COLUMNS_NOW =
            "s.id AS slot_id, s.doctor_id, s.start_at, s.end_at, s.capacity, s.booked_count - h.expired AS booked_count,"
                    + " s.opens_at, s.closed, s.version + h.expired AS version";

    private static final String EXPIRED_HOLDS = """

            CROSS JOIN LATERAL (
                SELECT count(*)::integer AS expired FROM appointment a
                WHERE a.slot_id = s.id AND a.status = 'HELD' AND a.hold_expires_at <= :now) h
            """;

    static final String BETWEEN = "SELECT " + COLUMNS_NOW + " FROM time_slot s" + EXPIRED_HOLDS + """
            WHERE s.doctor_id = :doctor AND s.start_at >= :from AND s.start_at < :to
            ORDER BY s.start_at
            LIMIT 2000""";

    // Versions only rise and slots are never deleted, so a sum tells whether any of a day's slots changed or was added.
    private static final String CHANGED_SINCE = "SELECT c.* FROM (SELECT " + COLUMNS_NOW + """
            , w.versions, sum(s.version + h.expired + 1) OVER (PARTITION BY w.ord) AS versions_now
            FROM unnest(:doctors::bigint[], :froms::bigint[], :tos::bigint[], :versions::bigint[]) WITH ORDINALITY
                AS w (doctor_id, from_at, to_at, versions, ord)
            JOIN time_slot s ON s.doctor_id = w.doctor_id
                AND s.start_at >= to_timestamp(w.from_at) AND s.start_at < to_timestamp(w.to_at)
            """ + EXPIRED_HOLDS + """
            ) c
            WHERE c.versions_now <> c.versions
            LIMIT 200000""";

    private static final String DAYS = """
            SELECT (s.start_at AT TIME ZONE :zone)::date AS day,
                count(*)::integer AS slots,
                coalesce(sum(s.capacity - s.booked_count + h.expired) FILTER (WHERE s.opens_at <= :now), 0)::integer AS free,
                min(s.opens_at) FILTER (WHERE s.opens_at > :now) AS opens_at
            FROM time_slot s""" + EXPIRED_HOLDS + """
            WHERE s.doctor_id = :doctor AND s.start_at >= :from AND s.start_at < :to AND s.start_at > :now AND NOT s.closed
            GROUP BY 1
            ORDER BY 1
            LIMIT 400""";

    private static final String FIND =
            "SELECT " + COLUMNS_NOW + " FROM time_slot s" + EXPIRED_HOLDS + "WHERE s.id = :id";

    private static final String LOCK = "SELECT s.id FROM time_slot s WHERE s.id = :id FOR NO KEY UPDATE";

    private static final String EXPIRE_HOLDS = "SELECT count(*) FROM expire_held(ARRAY[:id]::bigint[], :now)";

    private static final String LOCKED = "SELECT " + Slot.COLUMNS + " FROM time_slot s WHERE s.id = :id";

    // Who reopens a slot by hand wants it, whether or not a schedule still asks for it.
    private static final String CHANGE = """
            UPDATE time_slot s SET capacity = :capacity, closed = coalesce(:closed::boolean, s.closed),
                closed_by_hand = coalesce(:closed::boolean, s.closed_by_hand),
                withdrawn = s.withdrawn AND coalesce(:closed::boolean, true), version = s.version + 1
            WHERE s.id = :id
            RETURNING\s""" + Slot.COLUMNS;

    private static final String ADD_SEAT = """
            UPDATE time_slot s SET capacity = s.capacity + 1, version = s.version + 1
            WHERE s.id = :id AND s.capacity < :most
            RETURNING\s""" + Slot.COLUMNS;

    private final DatabaseClient database;
    private final Clock clock;

    /**
     * What somebody knows of the slots of a doctor that start in the time from {@code from} to before {@code to}, whole seconds.
     *
     * @param versions the sum of their versions, each plus one
     */
    public record Seen(long doctorId, Instant from, Instant to, long versions) {

        public static Seen of(long doctorId, Instant from, Instant to, Collection<Slot> slots) {
            return new Seen(
                    doctorId,
                    from,
                    to,
                    slots.stream().mapToLong(slot -> slot.version() + 1).sum());
        }
    }

    /**
     * What a day of the clinic has still to come.
     *
     * @param slots those that are neither closed nor past, full and unopened ones included
     * @param free seats that can be booked now
     * @param opensAt when the first of those that cannot be booked yet can be
     */
    public record Day(
            LocalDate date, int slots, int free, @Nullable Instant opensAt) {}

    Slots(DatabaseClient database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * Emits the slots of the doctor that start in the time from {@code from} to before {@code to}, in order of start; at
     * most the first 2,000, which is more than any day has.
     */
    public Mono<List<Slot>> between(long doctorId, Instant from, Instant to) {
        return database.sql(BETWEEN)
                .bind("doctor", doctorId)
                .bind("from", from)
                .bind("to", to)
                .bind("now", clock.instant())
                .map(Slot::from)
                .all()
                .collectList();
    }

    /** Emits the days from {@code first} to {@code last}, both included, on which the doctor has slots still to come. */
    public Mono<List<Day>> days(long doctorId, LocalDate first, LocalDate last, ZoneId zone) {
        return database.sql(DAYS)
                .bind("doctor", doctorId)
                .bind("from", first.atStartOfDay(zone).toInstant())
                .bind("to", last.plusDays(1).atStartOfDay(zone).toInstant())
                .bind("zone", zone.getId())
                .bind("now", clock.instant())
                .map(row -> new Day(
                        Objects.requireNonNull(row.get("day", LocalDate.class)),
                        Objects.requireNonNull(row.get("slots", Integer.class)),
                        Objects.requireNonNull(row.get("free", Integer.class)),
                        row.get("opens_at", Instant.class)))
                .all()
                .collectList();
    }

    /** Emits the slots of those times in which there is one that is newer than what was seen, in no order. */
    public Flux<Slot> changedSince(List<Seen> seen) {
        return database.sql(CHANGED_SINCE)
                .bind("doctors", numbers(seen, Seen::doctorId))
                .bind("froms", numbers(seen, range -> range.from().getEpochSecond()))
                .bind("tos", numbers(seen, range -> range.to().getEpochSecond()))
                .bind("versions", numbers(seen, Seen::versions))
                .bind("now", clock.instant())
                .map(Slot::from)
                .all();
    }

    /** Emits the slot, or nothing if there is none. */
    public Mono<Slot> find(long id) {
        return database.sql(FIND)
                .bind("id", id)
                .bind("now", clock.instant())
                .map(Slot::from)
                .one();
    }

    /**
     * As {@link #find}, and keeps everybody else from changing it until the transaction ends. Holds that have expired end
     * before, so that their seats do not count as taken.
     */
    Mono<Slot> lock(long id) {
        return database.sql(LOCK)
                .bind("id", id)
                .mapValue(Long.class)
                .one()
                .flatMap(locked -> database.sql(EXPIRE_HOLDS)
                        .bind("id", id)
                        .bind("now", clock.instant())
                        .mapValue(Long.class)
                        .one())
                .flatMap(expired ->
                        database.sql(LOCKED).bind("id", id).map(Slot::from).one());
    }

    Mono<Slot> change(long id, int capacity, @Nullable Boolean closed) {
        return database.sql(CHANGE)
                .bind("id", id)
                .bind("capacity", capacity)
                .bind("closed", Parameter.fromOrEmpty(closed, Boolean.class))
                .map(Slot::from)
                .one();
    }

    /** Adds a seat in the caller's transaction, which has locked the slot; emits nothing if it has as many as can be. */
    public Mono<Slot> addSeat(long id) {
        return database.sql(ADD_SEAT)
                .bind("id", id)
                .bind("most", ScheduleRequest.MAX_CAPACITY)
                .map(Slot::from)
                .one();
    }

    private static <T> Long[] numbers(List<T> rows, ToLongFunction<T> value) {
        return rows.stream().mapToLong(value).boxed().toArray(Long[]::new);
    }
}
