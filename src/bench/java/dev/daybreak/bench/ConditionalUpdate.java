package dev.daybreak.bench;

import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/** One statement that raises the count if a seat is free and adds the appointment if it did. */
record ConditionalUpdate(DatabaseClient database) implements SeatGuard {

    private static final String TRY_RESERVE = """
            WITH reserved AS (
                UPDATE bench_slot SET booked_count = booked_count + 1, version = version + 1
                WHERE id = :slot AND booked_count < capacity AND start_at > now() AND opens_at <= now()
                RETURNING id),
            booked AS (
                INSERT INTO bench_appointment (slot_id, patient_id, status, idempotency_key)
                SELECT id, :patient, 'BOOKED', :key FROM reserved
                RETURNING id, slot_id)
            INSERT INTO bench_outbox (aggregatetype, aggregateid, type, payload)
            SELECT 'appointment', id::text, 'AppointmentBooked', jsonb_build_object('appointmentId', id, 'slotId', slot_id)
            FROM booked""";

    @Override
    public String name() {
        return "conditional update, one statement";
    }

    @Override
    public Mono<Attempt> tryReserve(SeatRequest request) {
        return database.sql(TRY_RESERVE)
                .bind("slot", request.slotId())
                .bind("patient", request.patientId())
                .bind("key", request.key())
                .fetch()
                .rowsUpdated()
                .map(booked -> booked == 1 ? Attempt.BOOKED : Attempt.FULL);
    }
}
