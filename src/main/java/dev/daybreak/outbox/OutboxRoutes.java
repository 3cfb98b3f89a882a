package dev.daybreak.outbox;

import static dev.daybreak.platform.problem.ProblemCode.DEAD_LETTER_NOT_FOUND;
import static dev.daybreak.platform.security.Access.admin;
import static dev.daybreak.platform.security.Access.staff;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.platform.web.Input;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** What staff can do about events that could not be delivered. */
final class OutboxRoutes {

    private static final int MOST = 200;

    private final Events events;

    private OutboxRoutes(Events events) {
        this.events = events;
    }

    static ApiRoutes of(Events events) {
        var handler = new OutboxRoutes(events);
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

    private Mono<ServerResponse> replay(ServerRequest request) {
        Input path = Input.path(request);
        long id = path.id("id");
        path.complete();
        return Detached.run(events.replay(id))
                .flatMap(replayed ->
                        replayed ? ServerResponse.accepted().build() : Mono.error(new Refusal(DEAD_LETTER_NOT_FOUND)));
    }
}
