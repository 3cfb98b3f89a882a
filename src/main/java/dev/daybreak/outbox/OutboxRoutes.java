package dev.daybreak.outbox;

import static dev.daybreak.platform.problem.ProblemCode.DEAD_LETTER_NOT_FOUND;
import static dev.daybreak.platform.security.Access.admin;
import static dev.daybreak.platform.security.Access.staff;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.trail.Deed;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.platform.web.Input;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** What staff can do about events that could not be delivered. */
final class OutboxRoutes {

    private static final int MOST = 200;

    private final Events events;
    private final DatabaseClient database;
    private final AuditTrail trail;
    private final TransactionalOperator transaction;

    private OutboxRoutes(Events events, DatabaseClient database, AuditTrail trail, TransactionalOperator transaction) {
        this.events = events;
        this.database = database;
        this.trail = trail;
        this.transaction = transaction;
    }

    static ApiRoutes of(Events events, DatabaseClient database, AuditTrail trail, TransactionalOperator transaction) {
        var handler = new OutboxRoutes(events, database, trail, transaction);
        return route().GET(
                        "/api/admin/outbox/dead-letters",
                        staff(),
                        handler::list,
                        doc("listDeadLetters", "Events that could not be delivered, by id")
                                .tag("Administration")
                                .optionalQuery("after", Long.class, "Only those with a higher id", "0")
                                .optionalQuery("limit", Integer.class, "At most so many, 1 to 200", "200")
                                .answersList(
                                        200,
                                        "The dead letters",
                                        DeadLetterView.class,
                                        "[" + DeadLetterView.EXAMPLE + "]"))
                .POST(
                        "/api/admin/outbox/dead-letters/{id}/replay",
                        admin(),
                        handler::replay,
                        doc("replayDeadLetter", "Deliver a dead letter again")
                                .tag("Administration")
                                .description("It goes to every consumer with the same event id, after what has been"
                                        + " delivered of its appointment meanwhile. Replaying one that is no dead letter any"
                                        + " more is answered 404.")
                                .path("id", Long.class, "The dead letter", "90017")
                                .answers(202, "It is delivered soon")
                                .problems(DEAD_LETTER_NOT_FOUND));
    }

    private Mono<ServerResponse> list(ServerRequest request) {
        Input input = Input.query(request);
        Long after = input.optionalLong("after");
        int limit = input.integer("limit", 1, MOST, MOST);
        input.complete();
        return events.dead(after == null ? 0 : after, limit)
                .flatMap(found -> ServerResponse.ok()
                        .bodyValue(found.stream().map(DeadLetterView::of).toList()));
    }

    private Mono<Boolean> replay(long id, Actor actor) {
        Mono<Boolean> work = events.replay(database, id)
                .flatMap(replayed -> replayed
                        ? trail.record(actor, Deed.of("dead-letter.replay", "event", id))
                                .thenReturn(true)
                        : Mono.just(false));
        return transaction.transactional(work);
    }

    private Mono<ServerResponse> replay(ServerRequest request) {
        Input path = Input.path(request);
        long id = path.id("id");
        path.complete();
        return Detached.run(replay(id, Actor.of(request)))
                .flatMap(replayed ->
                        replayed ? ServerResponse.accepted().build() : Mono.error(new Refusal(DEAD_LETTER_NOT_FOUND)));
    }
}
