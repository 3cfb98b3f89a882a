package dev.daybreak.bench;

import dev.daybreak.bench.SeatGuard.Attempt;
import dev.daybreak.bench.SeatGuard.SeatRequest;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/** The statements that the guards are made of. */
final class Seats {

    private static final String READ = """
            SELECT capacity, booked_count, version FROM bench_slot
            WHERE id = :slot AND start_at > now() AND opens_at <= now()""";

    private static final String READ_LOCKED = READ + " FOR NO KEY UPDATE";

    private static final String SET_COUNT = """
            UPDATE bench_slot SET booked_count = :count, version = version + 1 WHERE id = :slot""";

    private static final String SET_COUNT_OF_VERSION = SET_COUNT + " AND version = :version";

    private static final String ADD_APPOINTMENT = """
            WITH booked AS (
                INSERT INTO bench_appointment (slot_id, patient_id, status, idempotency_key)
                VALUES (:slot, :patient, 'BOOKED', :key)
                RETURNING id, slot_id)
            INSERT INTO bench_outbox (aggregatetype, aggregateid, type, payload)
            SELECT 'appointment', id::text, 'AppointmentBooked', jsonb_build_object('appointmentId', id, 'slotId', slot_id)
            FROM booked""";

    private final DatabaseClient database;

    Seats(DatabaseClient database) {
        this.database = database;
    }

    record Seat(int capacity, int booked, long version) {
        boolean isFree() {
            return booked < capacity;
        }
    }

    Mono<Seat> read(long slotId) {
        return read(READ, slotId);
    }

    /** Locks the slot until the end of the transaction. */
    Mono<Seat> readLocked(long slotId) {
        return read(READ_LOCKED, slotId);
    }

    /** Raises the count that was read, whatever it is by now, and adds the appointment. */
    Mono<Attempt> take(SeatRequest request, Seat seat) {
        return database.sql(SET_COUNT)
                .bind("slot", request.slotId())
                .bind("count", seat.booked() + 1)
                .fetch()
                .rowsUpdated()
                .then(addAppointment(request))
                .thenReturn(Attempt.BOOKED);
    }

    /** As {@link #take}, but only if the slot is as it was read; emits false if it has changed. */
    Mono<Boolean> takeUnchanged(SeatRequest request, Seat seat) {
        return database.sql(SET_COUNT_OF_VERSION)
                .bind("slot", request.slotId())
                .bind("count", seat.booked() + 1)
                .bind("version", seat.version())
                .fetch()
                .rowsUpdated()
                .filter(updated -> updated == 1)
                .flatMap(updated -> addAppointment(request).thenReturn(true))
                .defaultIfEmpty(false);
    }

    private Mono<Long> addAppointment(SeatRequest request) {
        return database.sql(ADD_APPOINTMENT)
                .bind("slot", request.slotId())
                .bind("patient", request.patientId())
                .bind("key", request.key())
                .fetch()
                .rowsUpdated();
    }

    private Mono<Seat> read(String sql, long slotId) {
        return database.sql(sql)
                .bind("slot", slotId)
                .map(row -> new Seat(
                        row.get("capacity", Integer.class),
                        row.get("booked_count", Integer.class),
                        row.get("version", Long.class)))
                .one();
    }
}
