package dev.daybreak.booking;

import static dev.daybreak.platform.sql.Columns.required;

import dev.daybreak.booking.Appointment.Change;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.security.Access;
import dev.daybreak.platform.security.Owner;
import dev.daybreak.platform.security.Ownership;
import dev.daybreak.schedule.Openings;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Reads the table {@code appointment}. */
final class Appointments {

    /**
     * The status of {@code appointment a} at {@code :now}: whether a hold has expired is not for somebody else to record first, and
     * that it has been filed is nobody's business.
     */
    static final String STATUS = """
            CASE WHEN a.status = 'HELD' AND a.hold_expires_at <= :now THEN 'EXPIRED' WHEN a.status = 'PAST' THEN 'BOOKED'
                 ELSE a.status END""";

    /** What {@link #read} reads of {@code appointment a} and its slot {@code s}. */
    static final String COLUMNS =
            "a.id, a.slot_id, coalesce(s.doctor_id, a.doctor_id) AS doctor_id, a.patient_id, " + STATUS + """
             AS status, a.start_at, a.end_at, a.revision, a.created_at, a.created_by, a.hold_tokens IS NOT NULL AS held,
            CAST(a.history AS text) AS history, a.cancelled_at, a.cancelled_by, a.cancel_reason, a.hold_expires_at
            """;

    private static final String FIND_ALL = "SELECT " + COLUMNS + """
            FROM appointment a LEFT JOIN time_slot s ON s.id = a.slot_id
            WHERE a.id = ANY (:ids)
            LIMIT 1024
            """;

    // Two halves, as active and ended appointments have each their own index.
    private static final String OF_PATIENT = "SELECT " + COLUMNS + """
            FROM (SELECT * FROM appointment
                  WHERE hashint8(patient_id) = hashint8(:patient) AND patient_id = :patient AND status IN ('HELD', 'BOOKED')
                    AND tstzrange(start_at, end_at) && tstzrange(:from, :to)
                  UNION ALL
                  SELECT * FROM appointment
                  WHERE patient_id = :patient AND status IN ('CANCELLED', 'EXPIRED', 'PAST') AND start_at < :to AND end_at > :from) a
            LEFT JOIN time_slot s ON s.id = a.slot_id
            WHERE (CAST(:after AS bigint) IS NULL OR (a.start_at, a.id) >
                      (SELECT b.start_at, b.id FROM appointment b WHERE b.id = :after AND b.patient_id = :patient))
              AND (CAST(:status AS text) IS NULL OR :status =\s""" + STATUS + """
            )
            ORDER BY a.start_at, a.id
            LIMIT :limit
            """;

    private static final String OWNER = """
            SELECT a.patient_id, coalesce(s.doctor_id, a.doctor_id) AS doctor_id
            FROM appointment a LEFT JOIN time_slot s ON s.id = a.slot_id
            WHERE a.id = :id
            """;

    // By doctor, as neither slots nor appointments have an index by start alone: one look-up a doctor is cheap once a
    // minute, and another index would cost every booking.
    private static final String STARTING_IN = "SELECT " + COLUMNS + """
            FROM (SELECT a.*
                  FROM doctor d
                  CROSS JOIN LATERAL (SELECT t.id FROM time_slot t
                                      WHERE t.doctor_id = d.id AND t.start_at >= :from AND t.start_at < :to
                                        AND t.booked_count > 0 OFFSET 0) t
                  CROSS JOIN LATERAL (SELECT * FROM appointment a
                                      WHERE a.slot_id = t.id AND a.status IN ('HELD', 'BOOKED') OFFSET 0) a
                  UNION ALL
                  SELECT a.*
                  FROM doctor d
                  CROSS JOIN LATERAL (SELECT * FROM appointment a
                                      WHERE a.slot_id IS NULL AND a.doctor_id = d.id AND a.status IN ('HELD', 'BOOKED')
                                        AND tstzrange(a.start_at, a.end_at) && tstzrange(:from, :to)
                                        AND a.start_at >= :from AND a.start_at < :to OFFSET 0) a) a
            LEFT JOIN time_slot s ON s.id = a.slot_id
            WHERE a.status = 'BOOKED' AND a.id > :after
            ORDER BY a.id
            LIMIT :limit
            """;

    private static final String OCCUPANCY = """
            SELECT s.capacity - s.booked_count + h.expired AS remaining,
                   ARRAY(SELECT a.idempotency_key FROM appointment a
                         WHERE a.slot_id = s.id AND a.status IN ('HELD', 'BOOKED') LIMIT :most) AS keys,
                   h.holders, h.next_expiry
            FROM time_slot s
            CROSS JOIN LATERAL (
                SELECT count(*) FILTER (WHERE a.hold_expires_at <= :now)::integer AS expired,
                       coalesce(array_agg(a.patient_id), '{}') AS holders,
                       min(a.hold_expires_at) AS next_expiry
                FROM (SELECT * FROM appointment a
                      WHERE a.slot_id = s.id AND a.status = 'HELD' ORDER BY a.hold_expires_at LIMIT :most) a) h
            WHERE s.id = :slot
            """;

    private static final String BUSY = """
            SELECT a.start_at, a.end_at
            FROM appointment a
            WHERE a.slot_id IS NULL AND a.doctor_id = :doctor AND a.status IN ('HELD', 'BOOKED')
              AND tstzrange(a.start_at, a.end_at) && tstzrange(:from, :to)
            LIMIT 5000
            """;

    private static final String SIGN = "UPDATE appointment SET created_by = :by WHERE id = :id";

    // Not the application's mapper: what is stored must not depend on settings made for answers.
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final DatabaseClient database;
    private final Clock clock;

    Appointments(DatabaseClient database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    Mono<Appointment> find(long id) {
        return findAll(List.of(id)).mapNotNull(found -> found.get(id));
    }

    /** Emits the appointments that exist, by id. Asks nothing of the database when no id is given. */
    Mono<Map<Long, Appointment>> findAll(List<Long> ids) {
        if (ids.isEmpty()) {
            return Mono.just(Map.of());
        }
        return database.sql(FIND_ALL)
                .bind("ids", ids.toArray(Long[]::new))
                .bind("now", clock.instant())
                .map(Appointments::read)
                .all()
                .collectMap(Appointment::id);
    }

    /** Whose an appointment or hold is. Empty if there is none. */
    private Mono<Owner> owner(long id) {
        return database.sql(OWNER)
                .bind("id", id)
                .map(row -> new Owner(row.get("patient_id", Long.class), row.get("doctor_id", Long.class)))
                .one();
    }

    /** The rule of calls about an appointment that its patient and its doctor may make. */
    Access ownerInPath(String variable) {
        return Access.ownerInPath(new Ownership(ProblemCode.APPOINTMENT_NOT_FOUND, this::owner), variable);
    }

    /** The same for a hold, which has the id of its appointment. */
    Access holderInPath(String variable) {
        return Access.ownerInPath(new Ownership(ProblemCode.HOLD_NOT_FOUND, this::owner), variable);
    }

    /** The appointments of a patient whose times meet {@code [from, to)}, by start; of those after one, if it is named. */
    Flux<Appointment> ofPatient(
            long patientId,
            Instant from,
            Instant to,
            @Nullable AppointmentStatus status,
            @Nullable Long after,
            int limit) {
        var statement = database.sql(OF_PATIENT)
                .bind("patient", patientId)
                .bind("now", clock.instant())
                .bind("from", from)
                .bind("to", to)
                .bind("limit", limit)
                .bind("after", Parameter.fromOrEmpty(after, Long.class));
        statement =
                status == null ? statement.bindNull("status", String.class) : statement.bind("status", status.name());
        return statement.map(Appointments::read).all();
    }

    /** Booked ones that start in {@code [from, to)}, by id, beyond {@code afterId}. */
    Flux<Appointment> startingIn(Instant from, Instant to, long afterId, int limit) {
        return database.sql(STARTING_IN)
                .bind("now", clock.instant())
                .bind("from", from)
                .bind("to", to)
                .bind("after", afterId)
                .bind("limit", limit)
                .map(Appointments::read)
                .all();
    }

    /** When a flexible doctor is busy in {@code [from, to)}. */
    Mono<List<Openings.Time>> busy(long doctorId, Instant from, Instant to) {
        return database.sql(BUSY)
                .bind("doctor", doctorId)
                .bind("from", from)
                .bind("to", to)
                .map(row -> new Openings.Time(
                        doctorId, required(row, "start_at", Instant.class), required(row, "end_at", Instant.class)))
                .all()
                .collectList();
    }

    /** Says who made an appointment, in the transaction that made it. */
    Mono<Long> sign(long id, String by) {
        return database.sql(SIGN).bind("id", id).bind("by", by).fetch().rowsUpdated();
    }

    Mono<Occupancy> occupancy(long slotId, int mostKeys) {
        return database.sql(OCCUPANCY)
                .bind("slot", slotId)
                .bind("most", mostKeys)
                .bind("now", clock.instant())
                .map(row -> new Occupancy(
                        required(row, "remaining", Integer.class),
                        List.of(required(row, "keys", String[].class)),
                        List.of(required(row, "holders", Long[].class)),
                        row.get("next_expiry", Instant.class)))
                .one();
    }

    static Appointment read(Readable row) {
        return new Appointment(
                required(row, "id", Long.class),
                row.get("slot_id", Long.class),
                required(row, "doctor_id", Long.class),
                required(row, "patient_id", Long.class),
                AppointmentStatus.valueOf(required(row, "status", String.class)),
                required(row, "start_at", Instant.class),
                required(row, "end_at", Instant.class),
                required(row, "revision", Integer.class),
                required(row, "created_at", Instant.class),
                row.get("created_by", String.class),
                required(row, "held", Boolean.class),
                changes(row.get("history", String.class)),
                row.get("cancelled_at", Instant.class),
                row.get("cancelled_by", String.class),
                row.get("cancel_reason", String.class),
                row.get("hold_expires_at", Instant.class));
    }

    private static List<Change> changes(@Nullable String history) {
        return history == null ? List.of() : List.of(JSON.readValue(history, Change[].class));
    }
}
