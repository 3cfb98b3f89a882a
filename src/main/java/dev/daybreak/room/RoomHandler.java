package dev.daybreak.room;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.sql.SqlStates;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.trail.Deed;
import dev.daybreak.platform.web.Input;
import java.net.URI;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The rooms over HTTP. */
final class RoomHandler {

    private final Rooms rooms;
    private final RoomRules rules;
    private final AuditTrail trail;
    private final TransactionalOperator transaction;

    RoomHandler(Rooms rooms, RoomRules rules, AuditTrail trail, TransactionalOperator transaction) {
        this.rooms = rooms;
        this.rules = rules;
        this.trail = trail;
        this.transaction = transaction;
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
                .flatMap(room -> Detached.run(add(room, Actor.of(request))))
                .switchIfEmpty(Mono.error(() -> new Refusal(ProblemCode.ROOM_EXISTS)))
                .flatMap(room -> ServerResponse.created(URI.create("/api/rooms/" + room.id()))
                        .bodyValue(room));
    }

    Mono<ServerResponse> change(ServerRequest request) {
        long id = id(request);
        return Input.body(request)
                .map(RoomRequest::read)
                .flatMap(room -> Detached.run(change(id, room, Actor.of(request))))
                .switchIfEmpty(Mono.error(() -> new Refusal(ProblemCode.ROOM_NOT_FOUND)))
                .onErrorMap(
                        failure -> SqlStates.UNIQUE_VIOLATION.equals(SqlStates.sqlState(failure)),
                        taken -> new Refusal(ProblemCode.ROOM_EXISTS))
                .flatMap(room -> ServerResponse.ok().bodyValue(room));
    }

    private Mono<Room> add(RoomRequest asked, Actor actor) {
        return transaction.transactional(rooms.add(asked)
                .flatMap(room -> trail.record(
                                actor, Deed.of("room.add", "room", room.id()).to(room))
                        .thenReturn(room)));
    }

    private Mono<Room> change(long id, RoomRequest asked, Actor actor) {
        return transaction.transactional(rooms.lock(id)
                .flatMap(before -> rooms.change(id, asked)
                        .flatMap(room -> trail.record(
                                        actor,
                                        Deed.of("room.change", "room", id)
                                                .from(before)
                                                .to(room))
                                .thenReturn(room))));
    }

    private static long id(ServerRequest request) {
        Input path = Input.path(request);
        long id = path.id("id");
        path.complete();
        return id;
    }
}
