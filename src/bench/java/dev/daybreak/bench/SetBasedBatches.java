package dev.daybreak.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Gathers requests while a batch runs and books the next set of them with one statement, slots locked in order of id. */
final class SetBasedBatches implements SeatGuard {

    // RETURNING cannot carry the position of a request, its key can.
    private static final String BOOK = """
            WITH request AS MATERIALIZED (
                SELECT slot_id, patient_id, key, position
                FROM unnest(CAST(:slots AS bigint[]), CAST(:patients AS bigint[]), CAST(:keys AS text[]))
                    WITH ORDINALITY AS r (slot_id, patient_id, key, position)),
            locked AS MATERIALIZED (
                SELECT id, capacity - booked_count AS free FROM bench_slot
                WHERE id IN (SELECT slot_id FROM request) AND start_at > now() AND opens_at <= now()
                ORDER BY id FOR NO KEY UPDATE),
            ranked AS (
                SELECT slot_id, patient_id, key, free,
                    row_number() OVER (PARTITION BY slot_id ORDER BY position) AS rank
                FROM request JOIN locked ON locked.id = slot_id),
            booked AS (
                INSERT INTO bench_appointment (slot_id, patient_id, status, idempotency_key)
                SELECT slot_id, patient_id, 'BOOKED', key FROM ranked WHERE rank <= free
                ON CONFLICT DO NOTHING
                RETURNING id, slot_id, idempotency_key),
            raised AS (
                UPDATE bench_slot SET booked_count = booked_count + seats, version = version + 1
                FROM (SELECT slot_id, count(*) AS seats FROM booked GROUP BY slot_id) AS taken
                WHERE bench_slot.id = taken.slot_id),
            told AS (
                INSERT INTO bench_outbox (aggregatetype, aggregateid, type, payload)
                SELECT 'appointment', id::text, 'AppointmentBooked', jsonb_build_object('appointmentId', id, 'slotId', slot_id)
                FROM booked)
            SELECT booked.id IS NOT NULL AS booked
            FROM request LEFT JOIN booked ON booked.idempotency_key = request.key
            ORDER BY position""";

    private static final int BATCH = 64;
    private static final int IN_FLIGHT = 2;

    private final DatabaseClient database;
    private final Queue<Waiting> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger inFlight = new AtomicInteger();

    private record Waiting(SeatRequest request, Sinks.One<Attempt> answer) {}

    SetBasedBatches(DatabaseClient database) {
        this.database = database;
    }

    @Override
    public String name() {
        return "set-based batches";
    }

    @Override
    public Mono<Attempt> tryReserve(SeatRequest request) {
        return Mono.defer(() -> {
            var waiting = new Waiting(request, Sinks.one());
            queue.add(waiting);
            startBatches();
            return waiting.answer().asMono();
        });
    }

    private void startBatches() {
        while (!queue.isEmpty() && mayStart()) {
            List<Waiting> batch = nextBatch();
            if (batch.isEmpty()) {
                inFlight.decrementAndGet();
            } else {
                book(batch)
                        .doFinally(signal -> endBatch())
                        .subscribe(attempts -> answer(batch, attempts), failure -> fail(batch, failure));
            }
        }
    }

    private boolean mayStart() {
        return inFlight.getAndUpdate(running -> Math.min(running + 1, IN_FLIGHT)) < IN_FLIGHT;
    }

    private void endBatch() {
        inFlight.decrementAndGet();
        startBatches();
    }

    private List<Waiting> nextBatch() {
        var batch = new ArrayList<Waiting>(BATCH);
        while (batch.size() < BATCH) {
            Waiting next = queue.poll();
            if (next == null) {
                break;
            }
            batch.add(next);
        }
        return batch;
    }

    private Mono<List<Attempt>> book(List<Waiting> batch) {
        return database.sql(BOOK)
                .bind("slots", batch.stream().map(one -> one.request().slotId()).toArray(Long[]::new))
                .bind(
                        "patients",
                        batch.stream().map(one -> one.request().patientId()).toArray(Long[]::new))
                .bind("keys", batch.stream().map(one -> one.request().key()).toArray(String[]::new))
                .map(row -> Boolean.TRUE.equals(row.get("booked", Boolean.class)) ? Attempt.BOOKED : Attempt.FULL)
                .all()
                .collectList();
    }

    private static void answer(List<Waiting> batch, List<Attempt> attempts) {
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).answer().tryEmitValue(attempts.get(i));
        }
    }

    private static void fail(List<Waiting> batch, Throwable failure) {
        batch.forEach(waiting -> waiting.answer().tryEmitError(failure));
    }
}
