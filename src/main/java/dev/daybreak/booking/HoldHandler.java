package dev.daybreak.booking;

import dev.daybreak.booking.BookingOutcome.Booked;
import dev.daybreak.booking.BookingOutcome.Refused;
import dev.daybreak.booking.BookingOutcome.Replayed;
import dev.daybreak.booking.HoldChange.Kind;
import dev.daybreak.booking.HoldOutcome.AtItsLimit;
import dev.daybreak.booking.HoldOutcome.Confirmed;
import dev.daybreak.booking.HoldOutcome.Expired;
import dev.daybreak.booking.HoldOutcome.Extended;
import dev.daybreak.booking.HoldOutcome.NoSuchHold;
import dev.daybreak.booking.HoldOutcome.Released;
import dev.daybreak.booking.HoldOutcome.WrongToken;
import dev.daybreak.platform.answer.JsonAnswers;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.ProblemResponses;
import dev.daybreak.platform.web.Input;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Holds over HTTP. */
final class HoldHandler {

    private final BookingDesk desk;
    private final Holds holds;
    private final OutcomeCounts counts;
    private final JsonAnswers answers;
    private final ProblemResponses problems;

    HoldHandler(BookingDesk desk, Holds holds, OutcomeCounts counts, JsonAnswers answers, ProblemResponses problems) {
        this.desk = desk;
        this.holds = holds;
        this.counts = counts;
        this.answers = answers;
        this.problems = problems;
    }

    Mono<ServerResponse> hold(ServerRequest request) {
        HoldToken token = HoldToken.random();
        IdempotencyKey key = BookAppointmentRequest.key(request);
        return Input.body(request)
                .map(input -> BookAppointmentRequest.read(input, key).holding(token))
                .flatMap(asked -> desk.book(asked).flatMap(outcome -> answer(request, asked, token, outcome)));
    }

    private Mono<ServerResponse> answer(
            ServerRequest request, BookingRequest asked, HoldToken token, BookingOutcome outcome) {
        counts.held(outcome);
        return switch (outcome) {
            case Booked held ->
                answers.write(
                        HttpStatus.CREATED,
                        HoldView.of(held.appointment(), token),
                        headers -> headers.set(
                                HttpHeaders.LOCATION,
                                "/api/holds/" + held.appointment().id()));
            case Replayed before ->
                switch (before.appointment().status()) {
                    case HELD, BOOKED ->
                        answers.write(HttpStatus.OK, HoldView.of(before.appointment(), token), headers -> {});
                    case CANCELLED, EXPIRED -> problems.write(request, Problem.of(ProblemCode.HOLD_EXPIRED));
                };
            case Refused refused -> problems.write(request, BookingProblems.of(refused, asked.slotId()));
        };
    }

    Mono<ServerResponse> extend(ServerRequest request) {
        return change(request, Kind.EXTEND);
    }

    Mono<ServerResponse> release(ServerRequest request) {
        return change(request, Kind.RELEASE);
    }

    Mono<ServerResponse> confirm(ServerRequest request) {
        return change(request, Kind.CONFIRM);
    }

    private Mono<ServerResponse> change(ServerRequest request, Kind kind) {
        Input path = Input.path(request);
        long id = path.id("id");
        path.complete();
        return holds.change(new HoldChange(id, kind, tokenHash(request))).flatMap(outcome -> answer(request, outcome));
    }

    /** Of a token that is sent twice neither counts. */
    private static @Nullable String tokenHash(ServerRequest request) {
        List<String> sent = request.headers().header(HoldToken.HEADER);
        return sent.size() == 1 ? new HoldToken(sent.getFirst()).hash() : null;
    }

    private Mono<ServerResponse> answer(ServerRequest request, HoldOutcome outcome) {
        return switch (outcome) {
            case Extended extended ->
                answers.write(HttpStatus.OK, HoldView.extended(extended.hold(), extended.expiresAt()), headers -> {});
            case Confirmed confirmed ->
                answers.write(HttpStatus.OK, AppointmentView.of(confirmed.appointment()), headers -> {});
            case Released released -> ServerResponse.noContent().build();
            case AtItsLimit limit ->
                problems.write(request, Problem.of(ProblemCode.HOLD_LIMIT).with("expiresAt", limit.expiresAt()));
            case Expired expired -> problems.write(request, Problem.of(ProblemCode.HOLD_EXPIRED));
            case WrongToken wrong -> problems.write(request, Problem.of(ProblemCode.HOLD_FORBIDDEN));
            case NoSuchHold none -> problems.write(request, Problem.of(ProblemCode.HOLD_NOT_FOUND));
        };
    }
}
