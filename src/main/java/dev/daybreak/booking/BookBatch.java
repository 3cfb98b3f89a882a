package dev.daybreak.booking;

import dev.daybreak.booking.BookingOutcome.AlreadyBooked;
import dev.daybreak.booking.BookingOutcome.Booked;
import dev.daybreak.booking.BookingOutcome.KeyReused;
import dev.daybreak.booking.BookingOutcome.PatientOverlap;
import dev.daybreak.booking.BookingOutcome.Replayed;
import dev.daybreak.booking.BookingOutcome.SlotClosed;
import dev.daybreak.booking.BookingOutcome.SlotFull;
import dev.daybreak.booking.BookingOutcome.SlotNotFound;
import dev.daybreak.booking.BookingOutcome.SlotNotOpen;
import dev.daybreak.booking.BookingOutcome.SlotPast;
import dev.daybreak.schedule.Slot;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/**
 * Books a batch of requests by the function {@code book_batch}: one statement, one transaction. No transaction is begun
 * from here, which would be two more round trips for the same promise.
 */
final class BookBatch {

    private static final String BOOK = """
            SELECT ord, outcome, appointment_id, slot_id, doctor_id, start_at, end_at, capacity, booked_count, opens_at, closed, version
            FROM book_batch($1, $2, $3, $4)
            """;

    private final DatabaseClient database;
    private final Appointments appointments;
    private final SlotChanges changes;
    private final Clock clock;

    BookBatch(DatabaseClient database, Appointments appointments, SlotChanges changes, Clock clock) {
        this.database = database;
        this.appointments = appointments;
        this.changes = changes;
        this.clock = clock;
    }

    /** Emits one outcome a request, in their order. May be repeated: what was booked is then found by its key. */
    Mono<List<BookingOutcome>> book(List<BookingRequest> requests) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return database.sql(BOOK)
                .bind(0, requests.stream().map(BookingRequest::slotId).toArray(Long[]::new))
                .bind(1, requests.stream().map(BookingRequest::patientId).toArray(Long[]::new))
                .bind(2, requests.stream().map(request -> request.key().value()).toArray(String[]::new))
                .bind(3, now)
                .map(Decision::from)
                .all()
                .collectList()
                .doOnNext(decisions -> changes.seatsTaken(decisions.stream()
                        .filter(Decision::changed)
                        .map(Decision::slot)
                        .filter(Objects::nonNull)))
                .flatMap(decisions -> appointments
                        .findAll(decisions.stream()
                                .filter(Decision::replayed)
                                .map(Decision::appointmentId)
                                .toList())
                        .map(known -> decisions.stream()
                                .map(decision -> decision.outcome(requests.get(decision.place()), known, now))
                                .toList()));
    }

    /** A row of the function's answer; rows come in the order of the requests. */
    private record Decision(
            int place,
            String verdict,
            @Nullable Long appointmentId,
            @Nullable Slot slot) {

        static Decision from(Readable row) {
            return new Decision(
                    Objects.requireNonNull(row.get(0, Integer.class)) - 1,
                    Objects.requireNonNull(row.get(1, String.class)),
                    row.get(2, Long.class),
                    row.get(4, Long.class) == null ? null : Slot.fromColumns(row, 3));
        }

        boolean changed() {
            return verdict.equals("BOOKED");
        }

        boolean replayed() {
            return verdict.equals("REPLAYED");
        }

        BookingOutcome outcome(BookingRequest request, Map<Long, Appointment> known, Instant now) {
            return switch (verdict) {
                case "BOOKED" -> new Booked(booked(request, now));
                case "REPLAYED" -> new Replayed(Objects.requireNonNull(known.get(appointmentId)));
                case "KEY_REUSED" -> new KeyReused();
                case "SLOT_FULL" -> new SlotFull(existing().id(), existing().remaining());
                case "ALREADY_BOOKED" -> new AlreadyBooked();
                case "PATIENT_OVERLAP" -> new PatientOverlap();
                case "SLOT_NOT_OPEN" -> new SlotNotOpen(existing().opensAt());
                case "SLOT_PAST" -> new SlotPast();
                case "SLOT_CLOSED" -> new SlotClosed();
                case "SLOT_NOT_FOUND" -> new SlotNotFound();
                default -> throw new IllegalStateException("book_batch answered " + verdict);
            };
        }

        private Appointment booked(BookingRequest request, Instant now) {
            Slot of = existing();
            return new Appointment(
                    Objects.requireNonNull(appointmentId),
                    of.id(),
                    of.doctorId(),
                    request.patientId(),
                    AppointmentStatus.BOOKED,
                    of.startAt(),
                    of.endAt(),
                    1,
                    now,
                    null,
                    null,
                    null);
        }

        private Slot existing() {
            return Objects.requireNonNull(slot);
        }
    }
}
