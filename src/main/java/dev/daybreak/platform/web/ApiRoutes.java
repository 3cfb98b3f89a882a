package dev.daybreak.platform.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The routes of a feature as one table: method, path, handler, description. GET answers HEAD as well; a request that
 * accepts nothing of what its route {@linkplain ApiDoc#answers answers} is refused with 406 before the handler runs.
 */
public final class ApiRoutes {

    private final List<RouteTable.Row> rows = new ArrayList<>();

    private ApiRoutes() {}

    public static ApiRoutes route() {
        return new ApiRoutes();
    }

    public ApiRoutes GET(String pattern, HandlerFunction<ServerResponse> handler, ApiDoc doc) {
        return add(Set.of(HttpMethod.GET, HttpMethod.HEAD), pattern, handler, doc);
    }

    public ApiRoutes POST(String pattern, HandlerFunction<ServerResponse> handler, ApiDoc doc) {
        return add(Set.of(HttpMethod.POST), pattern, handler, doc);
    }

    public ApiRoutes PUT(String pattern, HandlerFunction<ServerResponse> handler, ApiDoc doc) {
        return add(Set.of(HttpMethod.PUT), pattern, handler, doc);
    }

    public ApiRoutes PATCH(String pattern, HandlerFunction<ServerResponse> handler, ApiDoc doc) {
        return add(Set.of(HttpMethod.PATCH), pattern, handler, doc);
    }

    public ApiRoutes DELETE(String pattern, HandlerFunction<ServerResponse> handler, ApiDoc doc) {
        return add(Set.of(HttpMethod.DELETE), pattern, handler, doc);
    }

    public RouterFunction<ServerResponse> build() {
        return new RouteTable(List.copyOf(rows));
    }

    private ApiRoutes add(
            Set<HttpMethod> methods, String pattern, HandlerFunction<ServerResponse> handler, ApiDoc doc) {
        RequestPredicate predicate =
                RequestPredicates.methods(methods.toArray(HttpMethod[]::new)).and(RequestPredicates.path(pattern));
        rows.add(new RouteTable.Row(predicate, Acceptance.required(doc.mediaTypes(), handler), doc));
        return this;
    }
}
