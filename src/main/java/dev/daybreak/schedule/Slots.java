package dev.daybreak.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
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

    // No slot is longer than a day, so those that meet a time are found by their starts.
    private static final String LOCK_MEETING = "SELECT " + Slot.COLUMNS + """

            FROM time_slot s
            WHERE s.doctor_id = ANY (:doctors) AND s.start_at > :after AND s.start_at < :before
              AND (s.start_at < :to AND s.end_at > :from OR s.start_at < :orTo AND s.end_at > :orFrom)
            ORDER BY s.id
            FOR NO KEY UPDATE""";

    private static final String LOCK_STARTING = "SELECT " + Slot.COLUMNS + """

            FROM time_slot s
            WHERE s.doctor_id = :doctor AND s.start_at = ANY (ARRAY(SELECT to_timestamp(u) FROM unnest(:starts::bigint[]) u))
              AND NOT s.withdrawn
            ORDER BY s.id
            FOR NO KEY UPDATE""";

    private static final String WITHDRAW = "UPDATE time_slot SET withdrawn = true WHERE id = ANY (:ids)";

    private static final String FIND_ALL = "SELECT " + Slot.COLUMNS + " FROM time_slot s WHERE s.id = ANY (:ids)";

    private static final String COVERED = """
            (EXISTS (SELECT FROM closure c
                     WHERE c.doctor_id = s.doctor_id AND c.to_at > s.start_at AND c.from_at < s.end_at)
             OR EXISTS (SELECT FROM closure c
                        WHERE c.doctor_id IS NULL AND c.to_at > s.start_at AND c.from_at < s.end_at))
            """;

    private static final String SETTLE_CLOSED = """
            UPDATE time_slot t SET closed = d.closed, version = t.version + 1
            FROM (SELECT s.id, s.closed_by_hand OR s.withdrawn OR\s""" + COVERED + """
                      AS closed
                  FROM time_slot s WHERE s.id = ANY (:ids)) d
            WHERE t.id = d.id AND t.closed <> d.closed""";

    // Seconds since 1970, since every slot begins at a whole one. In order, so that two inserts of the same slots
    // wait for each other instead of deadlocking.
    private static final String INSERT = """
            INSERT INTO time_slot (doctor_id, start_at, end_at, capacity, opens_at, closed)
            SELECT s.doctor_id, s.start_at, s.end_at, s.capacity, s.opens_at,
            """ + COVERED + """
            FROM (SELECT p.doctor_id, to_timestamp(p.start_at) AS start_at, to_timestamp(p.end_at) AS end_at, p.capacity,
                         to_timestamp(p.opens_at) AS opens_at
                  FROM unnest(:doctors::bigint[], :starts::bigint[], :ends::bigint[], :capacities::bigint[], :opens::bigint[])
                      AS p (doctor_id, start_at, end_at, capacity, opens_at)) s
            ORDER BY s.doctor_id, s.start_at
            ON CONFLICT (doctor_id, start_at) DO NOTHING""";

    // Nobody has a seat of a withdrawn slot, so it may take any shape.
    private static final String BRING_BACK = """
            UPDATE time_slot t
            SET withdrawn = false, end_at = b.end_at, capacity = b.capacity, opens_at = b.opens_at,
                closed = t.closed_by_hand OR b.covered, version = t.version + 1
            FROM (SELECT s.id, s.end_at, s.capacity, s.opens_at,
                  """ + COVERED + """
                      AS covered
                  FROM (SELECT w.id, w.doctor_id, w.start_at, to_timestamp(p.end_at) AS end_at, p.capacity,
                               to_timestamp(p.opens_at) AS opens_at
                        FROM unnest(:doctors::bigint[], :starts::bigint[], :ends::bigint[], :capacities::bigint[], :opens::bigint[])
                            AS p (doctor_id, start_at, end_at, capacity, opens_at)
                        JOIN time_slot w
                            ON w.withdrawn AND w.doctor_id = p.doctor_id AND w.start_at = to_timestamp(p.start_at)
                        ORDER BY w.id
                        FOR NO KEY UPDATE OF w) s) b
            WHERE t.id = b.id""";

    private static final String COUNT = """
            SELECT count(*)
            FROM unnest(:doctors::bigint[], :starts::bigint[]) AS p (doctor_id, start_at)
            JOIN time_slot s ON s.doctor_id = p.doctor_id AND s.start_at = to_timestamp(p.start_at)
            WHERE NOT s.withdrawn""";

    // A clinic's fortnight in one round trip; a year of short slots in several, each far below the statement timeout.
    private static final int ROWS = 20_000;

    private static final Duration LONGEST_SLOT = Duration.ofDays(1);

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

    Mono<Slot> change(long id, int capacity, @Nullable Boolean closed) {
        return database.sql(CHANGE)
                .bind("id", id)
                .bind("capacity", capacity)
                .bind("closed", Parameter.fromOrEmpty(closed, Boolean.class))
                .map(Slot::from)
                .one();
    }

    /** Locks, in order of id, the slots of these doctors that meet either time and have not begun. */
    Mono<List<Slot>> lockMeeting(List<Long> doctors, ClosureRange one, ClosureRange other, Instant now) {
        Instant first = one.from().isBefore(other.from()) ? one.from() : other.from();
        Instant earliest = first.minus(LONGEST_SLOT);
        return database.sql(LOCK_MEETING)
                .bind("doctors", doctors.toArray(Long[]::new))
                .bind("after", now.isAfter(earliest) ? now : earliest)
                .bind("before", one.to().isAfter(other.to()) ? one.to() : other.to())
                .bind("from", one.from())
                .bind("to", one.to())
                .bind("orFrom", other.from())
                .bind("orTo", other.to())
                .map(Slot::from)
                .all()
                .collectList();
    }

    /** Locks, in order of id, the slots of the doctor that begin then and are not withdrawn. */
    Mono<List<Slot>> lockStarting(long doctorId, Collection<Instant> starts) {
        return database.sql(LOCK_STARTING)
                .bind("doctor", doctorId)
                .bind("starts", starts.stream().map(Instant::getEpochSecond).toArray(Long[]::new))
                .map(Slot::from)
                .all()
                .collectList();
    }

    /** Says that no schedule asks for these any more; {@link #settleClosed} closes them. */
    Mono<Long> withdraw(List<Long> ids) {
        return database.sql(WITHDRAW)
                .bind("ids", ids.toArray(Long[]::new))
                .fetch()
                .rowsUpdated();
    }

    /** Emits those that exist, in no order. */
    Mono<List<Slot>> findAll(List<Long> ids) {
        return database.sql(FIND_ALL)
                .bind("ids", ids.toArray(Long[]::new))
                .map(Slot::from)
                .all()
                .collectList();
    }

    /** Closes and opens the slots, which must be locked, as the reasons for being closed have it now. */
    Mono<Long> settleClosed(List<Long> ids) {
        return database.sql(SETTLE_CLOSED)
                .bind("ids", ids.toArray(Long[]::new))
                .fetch()
                .rowsUpdated();
    }

    /** Inserts those that do not exist, closed where a closure covers them, brings back those that were withdrawn, and emits how many both were. */
    Mono<Long> insertMissing(List<PlannedSlot> planned) {
        return sum(planned, this::insert);
    }

    /** Emits how many of them exist. */
    Mono<Long> countExisting(List<PlannedSlot> planned) {
        return sum(planned, this::count);
    }

    private Mono<Long> insert(List<PlannedSlot> planned) {
        return make(BRING_BACK, planned)
                .flatMap(broughtBack -> make(INSERT, planned).map(inserted -> inserted + broughtBack));
    }

    private Mono<Long> make(String statement, List<PlannedSlot> planned) {
        return database.sql(statement)
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
