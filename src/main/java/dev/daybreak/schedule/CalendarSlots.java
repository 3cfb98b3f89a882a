package dev.daybreak.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The slots as the clinic's calendar changes them: made from schedules, withdrawn, closed and reopened. */
class CalendarSlots {

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

    CalendarSlots(DatabaseClient database) {
        this.database = database;
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
        return planned.stream().mapToLong(value).boxed().toArray(Long[]::new);
    }
}
