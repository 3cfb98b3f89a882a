package dev.daybreak.booking;

import dev.daybreak.booking.BookingOutcome.Booked;
import dev.daybreak.booking.BookingOutcome.Refused;
import dev.daybreak.booking.BookingOutcome.Replayed;
import dev.daybreak.platform.answer.JsonAnswers;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.ProblemResponses;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.web.Input;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Turns requests into calls of {@link Booking} and outcomes into answers. */
final class BookingHandler {

    // PostgreSQL's range of time ends before Java's; nobody has appointments beyond.
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST =
            OffsetDateTime.of(9999, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC).toInstant();
    private static final int LONGEST_REASON = 200;
    private static final int LONGEST_LIST = 200;

    private final BookingDesk desk;
    private final Booking booking;
    private final StaffDesk staff;
    private final OpeningHandler openings;
    private final OutcomeCounts counts;
    private final JsonAnswers answers;
    private final ProblemResponses problems;

    BookingHandler(
            BookingDesk desk,
            Booking booking,
            StaffDesk staff,
            OpeningHandler openings,
            OutcomeCounts counts,
            JsonAnswers answers,
            ProblemResponses problems) {
        this.desk = desk;
        this.booking = booking;
        this.staff = staff;
        this.openings = openings;
        this.counts = counts;
        this.answers = answers;
        this.problems = problems;
    }

    Mono<ServerResponse> book(ServerRequest request) {
        IdempotencyKey key = BookAppointmentRequest.key(request);
        return Input.body(request)
                .flatMap(input -> BookAppointmentRequest.isForOpening(input)
                        ? openings.book(input, key)
                        : book(request, BookAppointmentRequest.read(input, key)));
    }

    private Mono<ServerResponse> book(ServerRequest request, BookingRequest asked) {
        return desk.book(asked).flatMap(outcome -> answer(request, asked.slotId(), outcome));
    }

    private Mono<ServerResponse> answer(ServerRequest request, long slotId, BookingOutcome outcome) {
        counts.booked(outcome);
        return switch (outcome) {
            case Booked booked ->
                answers.write(
                        HttpStatus.CREATED,
                        AppointmentView.of(booked.appointment()),
                        headers -> headers.set(
                                HttpHeaders.LOCATION,
                                "/api/appointments/" + booked.appointment().id()));
            case Replayed replayed ->
                answers.write(HttpStatus.OK, AppointmentView.of(replayed.appointment()), headers -> {});
            case Refused refused -> problems.write(request, BookingProblems.of(refused, slotId));
        };
    }

    Mono<ServerResponse> find(ServerRequest request) {
        return booking.find(appointmentId(Input.path(request)))
                .switchIfEmpty(Mono.error(() -> new Refusal(ProblemCode.APPOINTMENT_NOT_FOUND)))
                .flatMap(appointment -> ServerResponse.ok().bodyValue(AppointmentView.withHistory(appointment)));
    }

    Mono<ServerResponse> cancel(ServerRequest request) {
        Input input = Input.pathAndQuery(request);
        String reason = input.optionalText("reason", LONGEST_REASON);
        long id = appointmentId(input);
        return cancel(id, reason, Actor.of(request)).flatMap(outcome -> switch (outcome) {
            case CANCELLED, UNCHANGED -> ServerResponse.noContent().build();
            case TOO_LATE -> tooLate(id);
            case NOT_FOUND -> Mono.error(new Refusal(ProblemCode.APPOINTMENT_NOT_FOUND));
        });
    }

    /** What the clinic's people do to a patient's appointment leaves a trail. */
    private Mono<Cancellation.Outcome> cancel(long id, @Nullable String reason, Actor actor) {
        String by = Appointment.by(actor);
        return by.equals(Appointment.PATIENT)
                ? booking.cancel(new Cancellation(id, by, reason))
                : staff.cancel(id, reason, actor);
    }

    private Mono<ServerResponse> tooLate(long appointmentId) {
        // What has been filed can be cancelled no more, whether or not the clinic has a limit.
        return booking.latestCancellation(appointmentId)
                .map(until -> Problem.of(ProblemCode.TOO_LATE).with("until", until))
                .defaultIfEmpty(Problem.of(ProblemCode.TOO_LATE))
                .flatMap(problem -> Mono.error(new Refusal(problem)));
    }

    Mono<ServerResponse> ofPatient(ServerRequest request) {
        Input input = Input.pathAndQuery(request);
        long patientId = input.id("id");
        Instant from = orElse(input.optionalInstant("from"), EARLIEST);
        Instant to = orElse(input.optionalInstant("to"), LATEST);
        if (input.has("from") && input.has("to") && input.isSound("from", "to")) {
            input.check(from.isBefore(to), "to", "after", "from");
        }
        input.check(!from.isBefore(EARLIEST) && !from.isAfter(LATEST), "from", "range", EARLIEST, LATEST);
        input.check(!to.isBefore(EARLIEST) && !to.isAfter(LATEST), "to", "range", EARLIEST, LATEST);
        AppointmentStatus status = input.optionalChoice("status", AppointmentStatus.class);
        Long after = input.optionalId("after");
        int limit = input.integer("limit", 1, LONGEST_LIST, LONGEST_LIST);
        input.complete();
        return booking.ofPatient(patientId, from, to, status, after, limit)
                .map(AppointmentView::withHistory)
                .collectList()
                .flatMap(appointments -> ServerResponse.ok().bodyValue(appointments));
    }

    private static long appointmentId(Input input) {
        long id = input.id("id");
        input.complete();
        return id;
    }

    private static Instant orElse(@Nullable Instant value, Instant other) {
        return value == null ? other : value;
    }
}
