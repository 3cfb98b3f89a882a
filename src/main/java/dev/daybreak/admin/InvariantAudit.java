package dev.daybreak.admin;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/**
 * Counts, in committed rows, whatever breaks an invariant of the design. One statement, hence one snapshot: right on a live
 * database while bookings go on. Takes about a second for a million slots.
 */
public final class InvariantAudit {

    private static final String COUNT = """
            WITH seats AS (
                SELECT slot_id, count(*) AS taken FROM appointment WHERE status IN ('HELD', 'BOOKED') GROUP BY slot_id),
            told AS (
                SELECT aggregateid, count(*) AS events FROM outbox_event WHERE aggregatetype = 'appointment' GROUP BY aggregateid)
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
            SELECT 'I4', 'one event for every change of an appointment', count(*)
            FROM appointment a LEFT JOIN told t ON t.aggregateid = a.id::text
            LEFT JOIN outbox_pruned p ON p.aggregatetype = 'appointment'
            WHERE coalesce(t.events, 0) <> a.revision
              AND (coalesce(t.events, 0) > a.revision OR p.latest IS NULL OR a.created_at > p.latest)
            UNION ALL
            SELECT 'I4', 'no event lost among those removed after their time', coalesce((
                SELECT abs((SELECT coalesce(sum(revision), 0) FROM appointment) - (SELECT coalesce(sum(events), 0) FROM told) - p.events)
                FROM outbox_pruned p WHERE p.aggregatetype = 'appointment'), 0)::bigint
            UNION ALL
            SELECT 'I4', 'no event without its appointment', count(*)
            FROM told t LEFT JOIN appointment a ON a.id = t.aggregateid::bigint WHERE a.id IS NULL
            UNION ALL
            SELECT 'I5', 'no overlapping active appointments of a flexible doctor', count(*)
            FROM (SELECT start_at < lag(end_at) OVER (PARTITION BY doctor_id ORDER BY start_at) AS too_early
                  FROM appointment WHERE slot_id IS NULL AND status IN ('HELD', 'BOOKED')) d
            WHERE too_early
            """;

    private final DatabaseClient database;
    private final MeterRegistry meters;
    private final Map<Finding, AtomicLong> latest = new ConcurrentHashMap<>();

    InvariantAudit(DatabaseClient database, MeterRegistry meters) {
        this.database = database;
        this.meters = meters;
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

    /** Emits a finding for every rule, and keeps the counts as the gauge {@code daybreak.invariant.violations}. */
    public Mono<List<Finding>> run() {
        return database.sql(COUNT)
                .map(row -> new Finding(
                        Objects.requireNonNull(row.get("invariant", String.class)),
                        Objects.requireNonNull(row.get("rule", String.class)),
                        Objects.requireNonNull(row.get("violations", Long.class))))
                .all()
                .collectList()
                .doOnNext(findings -> findings.forEach(this::keep));
    }

    private void keep(Finding finding) {
        latest.computeIfAbsent(finding.key(), this::gauge).set(finding.count());
    }

    private AtomicLong gauge(Finding key) {
        var value = new AtomicLong();
        Gauge.builder("daybreak.invariant.violations", value, AtomicLong::doubleValue)
                .description("Rows that broke an invariant at the latest audit")
                .baseUnit("rows")
                .tag("invariant", key.invariant())
                .tag("rule", key.rule())
                .register(meters);
        return value;
    }
}
