package dev.daybreak.booking;

import dev.daybreak.booking.MoveOutcome.AlreadyBooked;
import dev.daybreak.booking.MoveOutcome.AppointmentNotFound;
import dev.daybreak.booking.MoveOutcome.Moved;
import dev.daybreak.booking.MoveOutcome.NotBooked;
import dev.daybreak.booking.MoveOutcome.Outdated;
import dev.daybreak.booking.MoveOutcome.PatientOverlap;
import dev.daybreak.booking.MoveOutcome.SlotClosed;
import dev.daybreak.booking.MoveOutcome.SlotFull;
import dev.daybreak.booking.MoveOutcome.SlotNotFound;
import dev.daybreak.booking.MoveOutcome.SlotNotOpen;
import dev.daybreak.booking.MoveOutcome.SlotPast;
import dev.daybreak.booking.MoveOutcome.TooLate;
import dev.daybreak.booking.MoveOutcome.Unchanged;
import dev.daybreak.platform.answer.JsonAnswers;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.ProblemResponses;
import java.time.Duration;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Moves appointments over HTTP. */
final class MoveHandler {

    private final Booking booking;
    private final JsonAnswers answers;
    private final ProblemResponses problems;

    MoveHandler(Booking booking, JsonAnswers answers, ProblemResponses problems) {
        this.booking = booking;
        this.answers = answers;
        this.problems = problems;
    }

    Mono<ServerResponse> move(ServerRequest request) {
        return MoveAppointmentRequest.read(request)
                .flatMap(move -> booking.move(move).flatMap(outcome -> answer(request, move.slotId(), outcome)));
    }

    private Mono<ServerResponse> answer(ServerRequest request, long slotId, MoveOutcome outcome) {
        return switch (outcome) {
            case Moved moved -> appointment(moved.appointment());
            case Unchanged unchanged -> appointment(unchanged.appointment());
            case AppointmentNotFound missing -> problems.write(request, Problem.of(ProblemCode.APPOINTMENT_NOT_FOUND));
            case NotBooked other -> problems.write(request, notBooked(other.status()));
            case TooLate late ->
                problems.write(request, Problem.of(ProblemCode.TOO_LATE).with("until", late.until()));
            case SlotFull full ->
                problems.write(
                        request, slotProblem(ProblemCode.SLOT_FULL, slotId).with("remaining", full.remaining()));
            case AlreadyBooked already -> problems.write(request, slotProblem(ProblemCode.ALREADY_BOOKED, slotId));
            case PatientOverlap overlap -> problems.write(request, slotProblem(ProblemCode.PATIENT_OVERLAP, slotId));
            case SlotNotOpen early ->
                problems.write(
                        request, slotProblem(ProblemCode.SLOT_NOT_OPEN, slotId).with("opensAt", early.opensAt()));
            case SlotPast past -> problems.write(request, slotProblem(ProblemCode.SLOT_PAST, slotId));
            case SlotClosed closed -> problems.write(request, slotProblem(ProblemCode.SLOT_CLOSED, slotId));
            case SlotNotFound missing -> problems.write(request, slotProblem(ProblemCode.SLOT_NOT_FOUND, slotId));
            case Outdated waited ->
                problems.write(request, Problem.of(ProblemCode.BUSY).retryAfter(Duration.ofSeconds(1)));
        };
    }

    static Problem notBooked(AppointmentStatus status) {
        return Problem.of(ProblemCode.APPOINTMENT_NOT_BOOKED).with("appointmentStatus", status);
    }

    private static Problem slotProblem(ProblemCode code, long slotId) {
        return Problem.of(code).with("slotId", slotId);
    }

    private Mono<ServerResponse> appointment(Appointment appointment) {
        return answers.write(HttpStatus.OK, AppointmentView.withHistory(appointment), headers -> {});
    }
}
