package dev.daybreak.admin;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import reactor.core.publisher.Mono;

/**
 * Counts, in committed rows, whatever breaks an invariant of the design. One statement, hence one snapshot: right on a live
 * database while bookings go on. All rows take about a second for a million slots; the latest changes a few milliseconds for
 * a thousand.
 */
public final class InvariantAudit {

    private static final String COUNT =
            """
            WITH seats AS (
                SELECT slot_id, count(*) AS taken FROM appointment WHERE status IN ('HELD', 'BOOKED', 'PAST') GROUP BY slot_id),
            told_appointment AS (
                SELECT aggregateid, count(*) AS events FROM outbox_event WHERE aggregatetype = 'appointment' GROUP BY aggregateid),
            told_reservation AS (
                SELECT aggregateid, count(*) AS events FROM outbox_event WHERE aggregatetype = 'reservation' GROUP BY aggregateid)
            SELECT 'I1' AS invariant, 'booked_count within 0 and capacity' AS rule, count(*) AS violations
            FROM time_slot WHERE booked_count < 0 OR booked_count > capacity
            UNION ALL
            SELECT 'I1', 'booked_count equals the active appointments', count(*)
            FROM time_slot s LEFT JOIN seats t ON t.slot_id = s.id WHERE s.booked_count <> coalesce(t.taken, 0)
            UNION ALL
            SELECT 'I1', 'no appointment without its slot', count(*)
            FROM appointment a LEFT JOIN time_slot s ON s.id = a.slot_id WHERE a.slot_id IS NOT NULL AND s.id IS NULL
            UNION ALL
            SELECT 'I2', 'one active appointment of a patient in a slot', count(*)
            FROM (SELECT FROM appointment WHERE slot_id IS NOT NULL AND status IN ('HELD', 'BOOKED')
                  GROUP BY slot_id, patient_id HAVING count(*) > 1) d
            UNION ALL
            SELECT 'I2', 'no overlapping active appointments of a patient', count(*)
            FROM (SELECT start_at < lag(end_at) OVER (PARTITION BY patient_id ORDER BY start_at) AS too_early
                  FROM appointment WHERE status IN ('HELD', 'BOOKED')) p
            WHERE too_early
            UNION ALL
            SELECT 'I3', 'one appointment for a key', count(*)
            FROM (SELECT FROM appointment GROUP BY idempotency_key HAVING count(*) > 1) d
            UNION ALL
            SELECT 'I3', 'one reservation for a key', count(*)
            FROM (SELECT FROM reservation WHERE idempotency_key IS NOT NULL GROUP BY idempotency_key HAVING count(*) > 1) d
            UNION ALL
            """ + events("appointment", "an appointment") + events("reservation", "a reservation") + """
            SELECT 'I5', 'no overlapping active appointments of a flexible doctor', count(*)
            FROM (SELECT start_at < lag(end_at) OVER (PARTITION BY doctor_id ORDER BY start_at) AS too_early
                  FROM appointment WHERE slot_id IS NULL AND status IN ('HELD', 'BOOKED')) d
            WHERE too_early
            UNION ALL
            SELECT 'I5', 'no overlapping active reservations of a room', count(*)
            FROM (SELECT start_at < max(end_at) OVER (
                             PARTITION BY room_id ORDER BY start_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS too_early
                  FROM reservation WHERE status = 'ACTIVE') r
            WHERE too_early
            UNION ALL
            SELECT 'I5', 'no reservation without its room', count(*)
            FROM reservation r LEFT JOIN room o ON o.id = r.room_id WHERE o.id IS NULL
            """;

    // What the latest events tell of: their appointments, the slots these are in or have left, their patients, their
    // reservations. What was made by one of them has all its events among them, unless some were removed after their
    // time and its first, a dead letter, was not. Slots whose appointments may have been filed are left out.
    private static final String COUNT_LATEST = """
            WITH told AS MATERIALIZED (
                SELECT e.aggregateid::bigint AS id, count(*) AS events,
                       bool_or(e.type IN ('AppointmentBooked', 'AppointmentHeld')) AS made,
                       array_agg((e.payload ->> 'slotId')::bigint) || array_agg((e.payload ->> 'previousSlotId')::bigint) AS slots
                FROM (SELECT * FROM outbox_event ORDER BY seq DESC LIMIT :events) e
                WHERE e.aggregatetype = 'appointment' GROUP BY e.aggregateid),
            touched AS MATERIALIZED (
                SELECT t.events, t.made, a.* FROM told t LEFT JOIN LATERAL (SELECT * FROM appointment b WHERE b.id = t.id LIMIT 1) a ON true),
            places AS (
                SELECT s.* FROM (SELECT DISTINCT unnest(t.slots) AS id FROM told t) u
                CROSS JOIN LATERAL (SELECT * FROM time_slot t WHERE t.id = u.id AND t.end_at > :since LIMIT 1) s),
            told_of_rooms AS MATERIALIZED (
                SELECT e.aggregateid::bigint AS id, count(*) AS events, bool_or(e.type = 'ReservationCreated') AS made
                FROM (SELECT * FROM outbox_event ORDER BY seq DESC LIMIT :events) e
                WHERE e.aggregatetype = 'reservation' GROUP BY e.aggregateid),
            reserved AS MATERIALIZED (
                SELECT t.events, t.made, r.* FROM told_of_rooms t
                LEFT JOIN LATERAL (SELECT * FROM reservation b WHERE b.id = t.id LIMIT 1) r ON true)
            SELECT 'I1' AS invariant, 'booked_count equals the active appointments' AS rule, count(*) AS violations
            FROM places s
            WHERE s.booked_count <> (SELECT count(*) FROM appointment a WHERE a.slot_id = s.id AND a.status IN ('HELD', 'BOOKED'))
            UNION ALL
            SELECT 'I2', 'no overlapping active appointments of a patient', count(*)
            FROM touched t
            WHERE t.status IN ('HELD', 'BOOKED') AND EXISTS (
                SELECT FROM appointment a
                WHERE hashint8(a.patient_id) = hashint8(t.patient_id) AND a.patient_id = t.patient_id
                  AND a.id <> t.id AND a.status IN ('HELD', 'BOOKED')
                  AND tstzrange(a.start_at, a.end_at) && tstzrange(t.start_at, t.end_at) OFFSET 0)
            UNION ALL
            """ + latestEvents("touched", "appointment", "an appointment")
            + latestEvents("reserved", "reservation", "a reservation") + """
            SELECT 'I5', 'no overlapping active reservations of a room', count(*)
            FROM reserved r
            WHERE r.status = 'ACTIVE' AND EXISTS (
                SELECT FROM reservation o
                WHERE o.room_id = r.room_id AND o.id <> r.id AND o.status = 'ACTIVE'
                  AND tstzrange(o.start_at, o.end_at) && tstzrange(r.start_at, r.end_at) OFFSET 0)
            """;

    private final DatabaseClient database;
    private final DatabaseClient unhurried;
    private final Clock clock;
    private final MeterRegistry meters;
    private final Map<Finding, Counts> counts = new ConcurrentHashMap<>();

    /** @param unhurried where a statement may take its time */
    InvariantAudit(DatabaseClient database, DatabaseClient unhurried, Clock clock, MeterRegistry meters) {
        this.database = database;
        this.unhurried = unhurried;
        this.clock = clock;
        this.meters = meters;
    }

    /** @param table which is the type of its events as well */
    private static String events(String table, String one) {
        return """
            SELECT 'I4', 'one event for every change of %2$s', count(*)
            FROM %1$s c LEFT JOIN told_%1$s t ON t.aggregateid = c.id::text
            LEFT JOIN outbox_pruned p ON p.aggregatetype = '%1$s'
            WHERE coalesce(t.events, 0) <> c.revision
              AND (coalesce(t.events, 0) > c.revision OR p.latest IS NULL OR c.created_at > p.latest)
            UNION ALL
            SELECT 'I4', 'no event of %2$s lost among those removed after their time', coalesce((
                SELECT abs((SELECT coalesce(sum(revision), 0) FROM %1$s)
                           - (SELECT coalesce(sum(events), 0) FROM told_%1$s) - p.events)
                FROM outbox_pruned p WHERE p.aggregatetype = '%1$s'), 0)::bigint
            UNION ALL
            SELECT 'I4', 'no event without its %1$s', count(*)
            FROM told_%1$s t LEFT JOIN %1$s c ON c.id = t.aggregateid::bigint WHERE c.id IS NULL
            UNION ALL
            """.formatted(table, one);
    }

    private static String latestEvents(String told, String table, String one) {
        return """
            SELECT 'I4', 'one event for every change of %3$s', count(*)
            FROM %1$s t
            WHERE t.made AND t.events <> t.revision
              AND NOT EXISTS (SELECT FROM outbox_pruned p WHERE p.aggregatetype = '%2$s' AND p.latest >= t.created_at)
            UNION ALL
            SELECT 'I4', 'no event without its %2$s', count(*) FROM %1$s t WHERE t.id IS NULL
            UNION ALL
            """.formatted(told, table, one);
    }

    /** Of one rule, at the latest audit of all rows and of the latest changes. */
    private static final class Counts {
        final AtomicLong all = new AtomicLong();
        final AtomicLong recent = new AtomicLong();

        double worse() {
            return Math.max(all.get(), recent.get());
        }
    }

    /**
     * What the audit found for one rule.
     *
     * @param invariant its name in the design, such as I1
     * @param count rows that break the rule; 0 when all is well
     */
    public record Finding(String invariant, String rule, long count) {

        private Finding key() {
            return new Finding(invariant, rule, 0);
        }
    }

    /**
     * Emits a finding for every rule, and keeps the counts as the gauge {@code daybreak.invariant.violations}. Errors when it takes
     * longer than a statement may.
     */
    public Mono<List<Finding>> run() {
        return findings(database.sql(COUNT)).doOnNext(this::keepAll);
    }

    /** The same with all the time it needs, on a connection of its own. */
    Mono<List<Finding>> runUnhurried() {
        return findings(unhurried.sql(COUNT)).doOnNext(this::keepAll);
    }

    /** The same for what the latest events tell of, as far as that can be told from it. */
    Mono<List<Finding>> runOnLatest(int events) {
        return findings(database.sql(COUNT_LATEST)
                        .bind("events", events)
                        .bind("since", clock.instant().minus(Duration.ofDays(1))))
                .doOnNext(findings ->
                        findings.forEach(finding -> counts(finding).recent.set(finding.count())));
    }

    private static Mono<List<Finding>> findings(GenericExecuteSpec count) {
        return count.map(row -> new Finding(
                        Objects.requireNonNull(row.get("invariant", String.class)),
                        Objects.requireNonNull(row.get("rule", String.class)),
                        Objects.requireNonNull(row.get("violations", Long.class))))
                .all()
                .collectList();
    }

    private void keepAll(List<Finding> findings) {
        findings.forEach(finding -> counts(finding).all.set(finding.count()));
    }

    private Counts counts(Finding finding) {
        return counts.computeIfAbsent(finding.key(), this::gauge);
    }

    private Counts gauge(Finding key) {
        var value = new Counts();
        Gauge.builder("daybreak.invariant.violations", value, Counts::worse)
                .description("Rows that broke an invariant at the latest audit")
                .baseUnit("rows")
                .tag("invariant", key.invariant())
                .tag("rule", key.rule())
                .register(meters);
        return value;
    }
}
