package dev.daybreak.schedule;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;
import org.springframework.r2dbc.core.DatabaseClient;
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

    private static final String FIND =
            "SELECT " + COLUMNS_NOW + " FROM time_slot s" + EXPIRED_HOLDS + "WHERE s.id = :id";

    private static final String LOCK = "SELECT s.id FROM time_slot s WHERE s.id = :id FOR NO KEY UPDATE";

    private static final String EXPIRE_HOLDS = "SELECT count(*) FROM expire_held(ARRAY[:id]::bigint[], :now)";

    private static final String LOCKED = "SELECT " + Slot.COLUMNS + " FROM time_slot s WHERE s.id = :id";

    private static final String CHANGE = """
            UPDATE time_slot s SET capacity = :capacity, closed = :closed, version = s.version + 1
            WHERE s.id = :id
            RETURNING\s""" + Slot.COLUMNS;

    // Seconds since 1970, since every slot begins at a whole one. In order, so that two inserts of the same slots
    // wait for each other instead of deadlocking.
    private static final String INSERT = """
            INSERT INTO time_slot (doctor_id, start_at, end_at, capacity, opens_at)
            SELECT p.doctor_id, to_timestamp(p.start_at), to_timestamp(p.end_at), p.capacity, to_timestamp(p.opens_at)
            FROM unnest(:doctors::bigint[], :starts::bigint[], :ends::bigint[], :capacities::bigint[], :opens::bigint[])
                AS p (doctor_id, start_at, end_at, capacity, opens_at)
            ORDER BY p.doctor_id, p.start_at
            ON CONFLICT (doctor_id, start_at) DO NOTHING""";

    private static final String COUNT = """
            SELECT count(*)
            FROM unnest(:doctors::bigint[], :starts::bigint[]) AS p (doctor_id, start_at)
            JOIN time_slot s ON s.doctor_id = p.doctor_id AND s.start_at = to_timestamp(p.start_at)""";

    // A clinic's fortnight in one round trip; a year of short slots in several, each far below the statement timeout.
    private static final int ROWS = 20_000;

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
                        .bind("now", clock.instant().truncatedTo(ChronoUnit.MICROS))
                        .mapValue(Long.class)
                        .one())
                .flatMap(expired ->
                        database.sql(LOCKED).bind("id", id).map(Slot::from).one());
    }

    Mono<Slot> change(long id, int capacity, boolean closed) {
        return database.sql(CHANGE)
                .bind("id", id)
                .bind("capacity", capacity)
                .bind("closed", closed)
                .map(Slot::from)
                .one();
    }

    /** Inserts those that do not exist, and emits how many that were. */
    Mono<Long> insertMissing(List<PlannedSlot> planned) {
        return sum(planned, this::insert);
    }

    /** Emits how many of them exist. */
    Mono<Long> countExisting(List<PlannedSlot> planned) {
        return sum(planned, this::count);
    }

    private Mono<Long> insert(List<PlannedSlot> planned) {
        return database.sql(INSERT)
                .bind("doctors", column(planned, PlannedSlot::doctorId))
                .bind("starts", column(planned, slot -> slot.startAt().getEpochSecond()))
                .bind("ends", column(planned, slot -> slot.endAt().getEpochSecond()))
                .bind("capacities", column(planned, PlannedSlot::capacity))
                .bind("opens", column(planned, slot -> slot.opensAt().getEpochSecond()))
                .fetch()
                .rowsUpdated();
    }

    private Mono<Long> count(List<PlannedSlot> planned) {
        return database.sql(COUNT)
                .bind("doctors", column(planned, PlannedSlot::doctorId))
                .bind("starts", column(planned, slot -> slot.startAt().getEpochSecond()))
                .mapValue(Long.class)
                .one();
    }

    private interface Statement {
        Mono<Long> run(List<PlannedSlot> planned);
    }

    private static Mono<Long> sum(List<PlannedSlot> planned, Statement statement) {
        return Flux.fromIterable(planned).buffer(ROWS).concatMap(statement::run).reduce(0L, Long::sum);
    }

    private static Long[] column(List<PlannedSlot> planned, ToLongFunction<PlannedSlot> value) {
        return numbers(planned, value);
    }

    private static <T> Long[] numbers(List<T> rows, ToLongFunction<T> value) {
        return rows.stream().mapToLong(value).boxed().toArray(Long[]::new);
    }
}
