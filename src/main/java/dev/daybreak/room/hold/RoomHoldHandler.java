package dev.daybreak.room.hold;

import dev.daybreak.platform.answer.JsonAnswers;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.ProblemResponses;
import dev.daybreak.platform.web.ClientAddress;
import dev.daybreak.platform.web.Input;
import dev.daybreak.room.RoomTimes;
import dev.daybreak.room.TimeRange;
import dev.daybreak.room.hold.HoldOutcome.AtItsLimit;
import dev.daybreak.room.hold.HoldOutcome.Extended;
import dev.daybreak.room.hold.HoldOutcome.Held;
import dev.daybreak.room.hold.HoldOutcome.NoSuchHold;
import dev.daybreak.room.hold.HoldOutcome.NoSuchRoom;
import dev.daybreak.room.hold.HoldOutcome.Released;
import dev.daybreak.room.hold.HoldOutcome.Reserved;
import dev.daybreak.room.hold.HoldOutcome.RoomClosed;
import dev.daybreak.room.hold.HoldOutcome.TakenByHold;
import dev.daybreak.room.hold.HoldOutcome.TooMany;
import dev.daybreak.room.hold.HoldOutcome.Unavailable;
import dev.daybreak.room.hold.HoldOutcome.WrongToken;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Holds of rooms over HTTP. */
final class RoomHoldHandler {

    private static final Duration LATER = Duration.ofSeconds(3);

    private final RoomHolds holds;
    private final RoomTimes times;
    private final JsonAnswers answers;
    private final ProblemResponses problems;

    RoomHoldHandler(RoomHolds holds, RoomTimes times, JsonAnswers answers, ProblemResponses problems) {
        this.holds = holds;
        this.times = times;
        this.answers = answers;
        this.problems = problems;
    }

    private record Asked(long roomId, long holdId, @Nullable String token) {}

    Mono<ServerResponse> hold(ServerRequest request) {
        Input path = Input.path(request);
        long room = path.id("id");
        path.complete();
        String client = ClientAddress.of(request);
        return Input.body(request)
                .map(this::range)
                .flatMap(range -> holds.hold(room, range, client))
                .flatMap(outcome -> answer(request, outcome));
    }

    private TimeRange range(Input input) {
        TimeRange range = times.read(input);
        input.complete();
        return range;
    }

    Mono<ServerResponse> extend(ServerRequest request) {
        return change(request, asked -> holds.extend(asked.roomId(), asked.holdId(), asked.token()));
    }

    Mono<ServerResponse> release(ServerRequest request) {
        return change(request, asked -> holds.release(asked.roomId(), asked.holdId(), asked.token()));
    }

    private Mono<ServerResponse> change(ServerRequest request, Function<Asked, Mono<HoldOutcome>> change) {
        Input path = Input.path(request);
        long room = path.id("id");
        long hold = path.id("holdId");
        path.complete();
        return change.apply(new Asked(room, hold, token(request))).flatMap(outcome -> answer(request, outcome));
    }

    /** Of a token that is sent twice neither counts. */
    private static @Nullable String token(ServerRequest request) {
        List<String> sent = request.headers().header(HoldKey.HEADER);
        return sent.size() == 1 ? sent.getFirst() : null;
    }

    private Mono<ServerResponse> answer(ServerRequest request, HoldOutcome outcome) {
        return switch (outcome) {
            case Held held ->
                answers.write(
                        HttpStatus.CREATED,
                        RoomHoldView.of(held.hold(), held.key()),
                        headers -> headers.set(HttpHeaders.LOCATION, address(held.hold())));
            case Extended extended ->
                answers.write(HttpStatus.OK, RoomHoldView.of(extended.hold(), null), headers -> {});
            case Released released -> ServerResponse.noContent().build();
            case TakenByHold taken -> problem(request, ProblemCode.HOLD_CONFLICT);
            case Reserved reserved -> problem(request, ProblemCode.RESERVATION_CONFLICT);
            case TooMany many ->
                problems.write(request, Problem.of(ProblemCode.RATE_LIMITED).retryAfter(many.retryAfter()));
            case NoSuchRoom none -> problem(request, ProblemCode.ROOM_NOT_FOUND);
            case RoomClosed closed -> problem(request, ProblemCode.ROOM_CLOSED);
            case AtItsLimit limit ->
                problems.write(request, Problem.of(ProblemCode.HOLD_LIMIT).with("expiresAt", limit.expiresAt()));
            case WrongToken wrong -> problem(request, ProblemCode.HOLD_FORBIDDEN);
            case NoSuchHold none -> problem(request, ProblemCode.HOLD_NOT_FOUND);
            case Unavailable away ->
                problems.write(request, Problem.of(ProblemCode.UNAVAILABLE).retryAfter(LATER));
        };
    }

    private Mono<ServerResponse> problem(ServerRequest request, ProblemCode code) {
        return problems.write(request, Problem.of(code));
    }

    private static String address(HeldRange hold) {
        return "/api/rooms/" + hold.roomId() + "/holds/" + hold.id();
    }
}
