package dev.daybreak.booking;

import dev.daybreak.platform.batch.BatchFailures;
import dev.daybreak.platform.batch.BatchLimits;
import dev.daybreak.platform.batch.Batcher;
import dev.daybreak.schedule.Openings;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Books, moves and cancels appointments. PostgreSQL alone decides, in batches; see {@link Batcher} for what waits for what.
 *
 * <p>Every method is cold. Writes go on when the subscriber leaves, and may be repeated: a booking by its key, moves and
 * cancellations by nature. They error with a BUSY refusal when too many wait, and with the database's failure when it cannot be reached;
 * it is then unknown whether the change was made, and repeating the call tells.
 */
public final class Booking implements BookingDesk {

    private final Batcher<BookingRequest, BookingOutcome> bookings;
    private final Batcher<MoveBatch.Waiting, MoveOutcome> moves;
    private final Batcher<Cancellation, Cancellation.Outcome> cancellations;
    private final Batcher<OpeningRequest, OpeningOutcome> openingBookings;
    private final BookOpenings bookOpenings;
    private final Appointments appointments;
    private final BookingSettings settings;

    Booking(
            DatabaseClient database,
            Appointments appointments,
            SlotChanges changes,
            Openings openings,
            Clock clock,
            BookingSettings settings) {
        this.appointments = appointments;
        this.settings = settings;
        BatchLimits limits = settings.limits();
        this.bookings = new Batcher<>(
                limits,
                BatchFailures.RETRY_THEN_ONE_BY_ONE,
                BookingRequest::slotId,
                new BookBatch(database, appointments, changes, clock, settings)::book);
        // Each move locks two slots of any lane, so two lanes of them would wait for each other most of the time.
        this.moves = new Batcher<>(
                limits.inOneLane(),
                BatchFailures.RETRY_THEN_ONE_BY_ONE,
                MoveBatch.Waiting::appointmentId,
                new MoveBatch(database, appointments, changes, clock, settings.latestMove())::move);
        this.cancellations = new Batcher<>(
                limits,
                BatchFailures.RETRY_THEN_ONE_BY_ONE,
                Cancellation::appointmentId,
                new CancelBatch(database, changes, clock, settings)::cancel);
        this.bookOpenings = new BookOpenings(database, appointments, openings, clock, settings);
        this.openingBookings = new Batcher<>(
                limits, BatchFailures.RETRY_THEN_ONE_BY_ONE, OpeningRequest::doctorId, bookOpenings::book);
    }

    Booking measuredBy(MeterRegistry meters) {
        bookings.measuredBy(meters, "bookings");
        moves.measuredBy(meters, "moves");
        cancellations.measuredBy(meters, "cancellations");
        openingBookings.measuredBy(meters, "openings");
        return this;
    }

    /**
     * Takes a seat if one is free, or holds it if that is asked for. Requests for one slot are decided in the order in which
     * they are subscribed to.
     */
    @Override
    public Mono<BookingOutcome> book(BookingRequest request) {
        return bookings.submit(request);
    }

    /** Takes the seat of another slot for an appointment and gives its old one back, or changes nothing. */
    Mono<MoveOutcome> move(Move move) {
        return Mono.defer(() -> moves.submit(new MoveBatch.Waiting(move, Arrival.now())));
    }

    /** Takes a time of a flexible doctor if it is free. Requests for one doctor are decided in the order of subscription. */
    @Override
    public Mono<OpeningOutcome> bookOpening(OpeningRequest request) {
        return openingBookings.submit(request);
    }

    /** Gives an appointment another time of its flexible doctor; it keeps the old one if that cannot be had. */
    Mono<OpeningOutcome> moveOpening(long appointmentId, Instant startAt, int minutes, String by) {
        return bookOpenings.move(appointmentId, startAt, minutes, by);
    }

    /** When a flexible doctor is busy in {@code [from, to)}. */
    Mono<List<Openings.Time>> busy(long doctorId, Instant from, Instant to) {
        return appointments.busy(doctorId, from, to);
    }

    /** Gives the seat back, once however often it is called. */
    public Mono<Cancellation.Outcome> cancel(Cancellation cancellation) {
        return cancellations.submit(cancellation);
    }

    /** Requests without an answer from the database yet. */
    int waiting() {
        return bookings.waiting() + moves.waiting() + cancellations.waiting() + openingBookings.waiting();
    }

    /** Until when the patient may cancel the appointment, if it ever is too late. Empty if there is no such appointment. */
    Mono<Instant> latestCancellation(long appointmentId) {
        return find(appointmentId)
                .map(Appointment::startAt)
                .map(start -> Objects.requireNonNullElse(settings.latestCancel(start), start));
    }

    /** Empty if there is none. */
    public Mono<Appointment> find(long appointmentId) {
        return appointments.find(appointmentId);
    }

    /** Emits the appointments that exist, by id; 1,024 at most. */
    public Mono<Map<Long, Appointment>> findAll(List<Long> appointmentIds) {
        return appointments.findAll(appointmentIds);
    }

    /**
     * Booked appointments that start in {@code [from, to)}, by id: those beyond {@code afterId}, so that the next page begins where
     * the last one ended.
     */
    public Flux<Appointment> startingIn(Instant from, Instant to, long afterId, int limit) {
        return appointments.startingIn(from, to, afterId, limit);
    }

    /** Who has the seats of a slot now, with so many keys at most. Empty if there is no such slot. */
    public Mono<Occupancy> occupancy(long slotId, int mostKeys) {
        return appointments.occupancy(slotId, mostKeys);
    }

    /** What a patient has or had in {@code [from, to)}, by start, ended ones included unless a status is asked for; only those after one of them if it is named. */
    public Flux<Appointment> ofPatient(
            long patientId,
            Instant from,
            Instant to,
            @Nullable AppointmentStatus status,
            @Nullable Long after,
            int limit) {
        return appointments.ofPatient(patientId, from, to, status, after, limit);
    }
}
