package dev.daybreak.platform.web;

import dev.daybreak.platform.security.Access;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/**
 * The routes of all features. Finds one by looking through those of the method: Spring's own composition wraps an operator
 * around the request for each route passed over, and every signal of the answer then goes through all of them, a tenth of
 * the time of a refused booking.
 */
final class RouteTable implements RouterFunction<ServerResponse> {

    /** The attribute of a route that holds its rule. */
    static final String ACCESS = Access.class.getName();

    private final List<Row> rows;
    private final Map<HttpMethod, List<Row>> byMethod = new HashMap<>();

    RouteTable(List<Row> declared, Guard guard) {
        this.rows = declared.stream().map(row -> row.guardedBy(guard)).toList();
        for (Row row : rows) {
            row.methods()
                    .forEach(method -> byMethod.computeIfAbsent(method, m -> new ArrayList<>())
                            .add(row));
        }
        // A word in the path is meant before a variable that would take it, whatever feature came first.
        byMethod.values().forEach(of -> of.sort(Comparator.comparing(Row::path, PathPattern.SPECIFICITY_COMPARATOR)));
    }

    record Row(
            Set<HttpMethod> methods,
            PathPattern path,
            RequestPredicate predicate,
            Access access,
            HandlerFunction<ServerResponse> handler,
            ApiDoc doc) {

        Row(
                Set<HttpMethod> methods,
                String pattern,
                Access access,
                HandlerFunction<ServerResponse> handler,
                ApiDoc doc) {
            this(
                    methods,
                    PathPatternParser.defaultInstance.parse(pattern),
                    RequestPredicates.path(pattern),
                    access,
                    handler,
                    doc);
        }

        Row guardedBy(Guard guard) {
            return new Row(methods, path, predicate, access, guard.around(access, handler), doc);
        }
    }

    @Override
    public Mono<HandlerFunction<ServerResponse>> route(ServerRequest request) {
        return Mono.justOrEmpty(find(request));
    }

    /** What answers the request, or null; leaves the path's pattern and variables in the request's attributes. */
    @Nullable
    HandlerFunction<ServerResponse> find(ServerRequest request) {
        for (Row row : byMethod.getOrDefault(request.method(), List.of())) {
            if (row.predicate().test(request)) {
                return row.handler();
            }
        }
        return null;
    }

    @Override
    public void accept(RouterFunctions.Visitor visitor) {
        for (Row row : rows) {
            visitor.attributes(Map.of(ApiDoc.ATTRIBUTE, row.doc(), ACCESS, row.access()));
            visitor.route(
                    RequestPredicates.methods(row.methods().toArray(HttpMethod[]::new))
                            .and(row.predicate()),
                    row.handler());
        }
    }
}
