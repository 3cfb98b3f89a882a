package dev.daybreak.room.reserve;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.web.ClientAddress;
import dev.daybreak.platform.web.Input;
import dev.daybreak.room.Reservation;
import dev.daybreak.room.RoomTimes;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Reservations over HTTP, for those who have the password. */
final class ReservationHandler {

    private static final int LONGEST_REASON = 200;

    private final Reserving reserving;
    private final RoomTimes times;

    ReservationHandler(Reserving reserving, RoomTimes times) {
        this.reserving = reserving;
        this.times = times;
    }

    Mono<ServerResponse> reserve(ServerRequest request) {
        long room = id(Input.path(request));
        @Nullable String key = ReserveRequest.key(request);
        return Input.body(request)
                .map(input -> ReserveRequest.read(input, room, times, key))
                .flatMap(claim -> reserving.reserve(claim, ClientAddress.of(request)))
                .flatMap(this::answer);
    }

    private Mono<ServerResponse> answer(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Reserved reserved ->
                ServerResponse.created(URI.create(
                                "/api/reservations/" + reserved.reservation().id()))
                        .bodyValue(ReservationView.of(reserved.reservation()));
            case Outcome.Replayed replayed -> ok(replayed.reservation());
            case Outcome.Known known -> throw new IllegalStateException("Nobody has looked at the password");
            case Outcome.Moved moved -> reserving.find(moved.reservationId()).flatMap(ReservationHandler::ok);
            case Outcome.Refused refused -> Mono.error(new Refusal(problem(refused)));
        };
    }

    private static Mono<ServerResponse> ok(Reservation reservation) {
        return ServerResponse.ok().bodyValue(ReservationView.of(reservation));
    }

    private static Problem problem(Outcome.Refused refused) {
        return switch (refused) {
            case RESERVATION_CONFLICT -> Problem.of(ProblemCode.RESERVATION_CONFLICT);
            case HOLD_CONFLICT -> Problem.of(ProblemCode.HOLD_CONFLICT);
            case ROOM_NOT_FOUND -> Problem.of(ProblemCode.ROOM_NOT_FOUND);
            case ROOM_CLOSED -> Problem.of(ProblemCode.ROOM_CLOSED);
            case KEY_REUSED -> Problem.of(ProblemCode.IDEMPOTENCY_KEY_REUSED);
            case RESERVATION_NOT_FOUND -> Problem.of(ProblemCode.RESERVATION_NOT_FOUND);
            case NOT_ACTIVE -> Problem.of(ProblemCode.RESERVATION_NOT_ACTIVE);
            case PAST -> Problem.invalid("startAt", "not-past");
        };
    }

    Mono<ServerResponse> find(ServerRequest request) {
        long id = id(Input.path(request));
        return owned(request, id).flatMap(ReservationHandler::ok);
    }

    Mono<ServerResponse> move(ServerRequest request) {
        long id = id(Input.path(request));
        return Input.body(request)
                .map(input -> MoveRequest.read(input, times))
                .flatMap(place -> owned(request, id).map(place::claimFor))
                .flatMap(reserving::move)
                .flatMap(this::answer);
    }

    Mono<ServerResponse> cancel(ServerRequest request) {
        Input input = Input.pathAndQuery(request);
        @Nullable String reason = input.optionalText("reason", LONGEST_REASON);
        long id = id(input);
        return owned(request, id)
                .flatMap(reservation -> reserving.cancel(id, reason))
                .then(Mono.defer(() -> ServerResponse.noContent().build()));
    }

    Mono<ServerResponse> search(ServerRequest request) {
        return Input.body(request)
                .map(SearchRequest::read)
                .flatMap(search -> reserving.search(search.name(), search.password(), ClientAddress.of(request)))
                .flatMap(found -> ServerResponse.ok()
                        .bodyValue(found.stream().map(ReservationView::of).toList()));
    }

    private Mono<Reservation> owned(ServerRequest request, long id) {
        return reserving.owned(id, ReserveRequest.sentPassword(request), ClientAddress.of(request));
    }

    private static long id(Input input) {
        long id = input.id("id");
        input.complete();
        return id;
    }
}
