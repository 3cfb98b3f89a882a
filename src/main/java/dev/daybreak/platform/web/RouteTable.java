package dev.daybreak.platform.web;

import java.util.List;
import java.util.Map;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * Finds a route by looking through the rows. Spring's own composition wraps an operator around the request for each route
 * passed over, and every signal of the answer then goes through all of them: a tenth of the time of a refused booking.
 */
final class RouteTable implements RouterFunction<ServerResponse> {

    private final List<Row> rows;

    RouteTable(List<Row> rows) {
        this.rows = rows;
    }

    record Row(RequestPredicate predicate, HandlerFunction<ServerResponse> handler, ApiDoc doc) {}

    @Override
    public Mono<HandlerFunction<ServerResponse>> route(ServerRequest request) {
        for (Row row : rows) {
            if (row.predicate().test(request)) {
                return Mono.just(row.handler());
            }
        }
        return Mono.empty();
    }

    @Override
    public void accept(RouterFunctions.Visitor visitor) {
        for (Row row : rows) {
            visitor.attributes(Map.of(ApiDoc.ATTRIBUTE, row.doc()));
            visitor.route(row.predicate(), row.handler());
        }
    }
}
