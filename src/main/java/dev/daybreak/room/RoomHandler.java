package dev.daybreak.room;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.sql.SqlStates;
import dev.daybreak.platform.web.Input;
import java.net.URI;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The rooms over HTTP. */
final class RoomHandler {

    private final Rooms rooms;
    private final RoomRules rules;

    RoomHandler(Rooms rooms, RoomRules rules) {
        this.rooms = rooms;
        this.rules = rules;
    }

    Mono<ServerResponse> rules(ServerRequest request) {
        Input.query(request).complete();
        return ServerResponse.ok().bodyValue(rules);
    }

    Mono<ServerResponse> list(ServerRequest request) {
        return list(request, false);
    }

    Mono<ServerResponse> listAll(ServerRequest request) {
        return list(request, true);
    }

    private Mono<ServerResponse> list(ServerRequest request, boolean withInactive) {
        Input.query(request).complete();
        return rooms.list(withInactive).flatMap(found -> ServerResponse.ok().bodyValue(found));
    }

    Mono<ServerResponse> get(ServerRequest request) {
        return rooms.find(id(request))
                .switchIfEmpty(Mono.error(() -> new Refusal(ProblemCode.ROOM_NOT_FOUND)))
                .flatMap(room -> ServerResponse.ok().bodyValue(room));
    }

    Mono<ServerResponse> add(ServerRequest request) {
        return Input.body(request)
                .map(RoomRequest::read)
                .flatMap(room -> Detached.run(rooms.add(room)))
                .switchIfEmpty(Mono.error(() -> new Refusal(ProblemCode.ROOM_EXISTS)))
                .flatMap(room -> ServerResponse.created(URI.create("/api/rooms/" + room.id()))
                        .bodyValue(room));
    }

    Mono<ServerResponse> change(ServerRequest request) {
        long id = id(request);
        return Input.body(request)
                .map(RoomRequest::read)
                .flatMap(room -> Detached.run(rooms.change(id, room)))
                .switchIfEmpty(Mono.error(() -> new Refusal(ProblemCode.ROOM_NOT_FOUND)))
                .onErrorMap(
                        failure -> SqlStates.UNIQUE_VIOLATION.equals(SqlStates.sqlState(failure)),
                        taken -> new Refusal(ProblemCode.ROOM_EXISTS))
                .flatMap(room -> ServerResponse.ok().bodyValue(room));
    }

    private static long id(ServerRequest request) {
        Input path = Input.path(request);
        long id = path.id("id");
        path.complete();
        return id;
    }
}
