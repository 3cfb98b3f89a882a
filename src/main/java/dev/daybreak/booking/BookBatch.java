package dev.daybreak.booking;

import dev.daybreak.booking.BookingOutcome.AlreadyBooked;
import dev.daybreak.booking.BookingOutcome.Booked;
import dev.daybreak.booking.BookingOutcome.BookingLimit;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/**
 * Books a batch of requests by the function {@code book_batch}: one statement, one transaction. No transaction is begun
 * from here, which would be two more round trips for the same promise.
 */
final class BookBatch {

    private static final String BOOK = """
            SELECT outcome, appointment_id, slot_id, doctor_id, start_at, end_at, capacity, booked_count, opens_at, closed, version
            FROM book_batch($1, $2, $3, $4, $5, $6, $7)
            """;

    private final DatabaseClient database;
    private final Appointments appointments;
    private final SlotChanges changes;
    private final Clock clock;
    private final BookingSettings settings;

    BookBatch(
            DatabaseClient database,
            Appointments appointments,
            SlotChanges changes,
            Clock clock,
            BookingSettings settings) {
        this.database = database;
        this.appointments = appointments;
        this.changes = changes;
        this.clock = clock;
        this.settings = settings;
    }

    /** Emits one outcome a request, in their order. May be repeated: what was booked is then found by its key. */
    Mono<List<BookingOutcome>> book(List<BookingRequest> requests) {
        return decide(requests, settings.maxActive()).doOnNext(this::announce).flatMap(this::outcomes);
    }

    /**
     * As {@link #book} in a transaction of the caller's, who after the commit {@linkplain #announce announces} what was decided.
     *
     * @param maxActive appointments a patient may have ahead; 0 for any number
     */
    Mono<Decided> decide(List<BookingRequest> requests, int maxActive) {
        Instant now = clock.instant();
        Instant holdUntil = now.plus(settings.hold()).truncatedTo(ChronoUnit.MICROS);
        return database.sql(BOOK)
                .bind(0, requests.stream().map(BookingRequest::slotId).toArray(Long[]::new))
                .bind(1, requests.stream().map(BookingRequest::patientId).toArray(Long[]::new))
                .bind(2, requests.stream().map(request -> request.key().value()).toArray(String[]::new))
                .bind(3, now)
                .bind(4, requests.stream().map(BookingRequest::tokenHash).toArray(String[]::new))
                .bind(5, holdUntil)
                .bind(6, maxActive)
                .map(Row::from)
                .all()
                .collectList()
                .map(rows -> Decided.of(requests, rows, now, holdUntil, maxActive));
    }

    Mono<List<BookingOutcome>> outcomes(Decided decided) {
        return appointments.findAll(decided.replayed()).map(decided::outcomes);
    }

    void announce(Decided decided) {
        changes.seatsTaken(decided.changedSlots());
        changes.seatsFreed(decided.freed().stream());
    }

    /** A row of the function's answer, in the order of the requests; the slot comes with the first request for it. */
    record Row(
            String verdict,
            @Nullable Long appointmentId,
            @Nullable Slot slot) {

        static Row from(Readable row) {
            return new Row(
                    Objects.requireNonNull(row.get(0, String.class)),
                    row.get(1, Long.class),
                    row.get(3, Long.class) == null ? null : Slot.fromColumns(row, 2));
        }

        boolean is(String other) {
            return verdict.equals(other);
        }
    }

    /** @param freed the slots in which expired holds ended; they come after the answers */
    record Decided(
            List<BookingRequest> requests,
            List<Row> rows,
            Map<Long, Slot> slots,
            List<Slot> freed,
            Instant now,
            Instant holdUntil,
            int limit) {

        static Decided of(List<BookingRequest> requests, List<Row> all, Instant now, Instant holdUntil, int limit) {
            List<Row> rows = all.subList(0, requests.size());
            List<Slot> freed = all.subList(requests.size(), all.size()).stream()
                    .map(row -> Objects.requireNonNull(row.slot()))
                    .toList();
            Map<Long, Slot> slots = HashMap.newHashMap(rows.size());
            for (Row row : rows) {
                if (row.slot() != null) {
                    slots.put(row.slot().id(), row.slot());
                }
            }
            return new Decided(requests, rows, slots, freed, now, holdUntil, limit);
        }

        /** Of the first request, unless it was a repeated one: that has to be read first. */
        @Nullable
        BookingOutcome outcome() {
            return rows.getFirst().is("REPLAYED") ? null : outcome(requests.getFirst(), rows.getFirst(), Map.of());
        }

        Stream<Slot> changedSlots() {
            return IntStream.range(0, rows.size())
                    .filter(i -> rows.get(i).is("BOOKED"))
                    .mapToObj(i -> slot(requests.get(i)));
        }

        List<Long> replayed() {
            return rows.stream()
                    .filter(row -> row.is("REPLAYED"))
                    .map(Row::appointmentId)
                    .toList();
        }

        List<BookingOutcome> outcomes(Map<Long, Appointment> known) {
            return IntStream.range(0, rows.size())
                    .mapToObj(i -> outcome(requests.get(i), rows.get(i), known))
                    .toList();
        }

        private BookingOutcome outcome(BookingRequest request, Row row, Map<Long, Appointment> known) {
            return switch (row.verdict()) {
                case "BOOKED" -> new Booked(booked(request, Objects.requireNonNull(row.appointmentId())));
                case "REPLAYED" -> new Replayed(Objects.requireNonNull(known.get(row.appointmentId())));
                case "KEY_REUSED" -> new KeyReused();
                case "SLOT_FULL" -> new SlotFull(request.slotId(), slot(request).remaining());
                case "ALREADY_BOOKED" -> new AlreadyBooked();
                case "PATIENT_OVERLAP" -> new PatientOverlap();
                case "BOOKING_LIMIT" -> new BookingLimit(limit);
                case "SLOT_NOT_OPEN" -> new SlotNotOpen(slot(request).opensAt());
                case "SLOT_PAST" -> new SlotPast();
                case "SLOT_CLOSED" -> new SlotClosed();
                case "SLOT_NOT_FOUND" -> new SlotNotFound();
                default -> throw new IllegalStateException("book_batch answered " + row.verdict());
            };
        }

        private Appointment booked(BookingRequest request, long id) {
            Slot of = slot(request);
            return new Appointment(
                    id,
                    of.id(),
                    of.doctorId(),
                    request.patientId(),
                    request.isHold() ? AppointmentStatus.HELD : AppointmentStatus.BOOKED,
                    of.startAt(),
                    of.endAt(),
                    1,
                    now,
                    null,
                    request.isHold(),
                    List.of(),
                    null,
                    null,
                    null,
                    request.isHold() ? holdUntil : null);
        }

        private Slot slot(BookingRequest request) {
            return Objects.requireNonNull(slots.get(request.slotId()));
        }
    }
}
