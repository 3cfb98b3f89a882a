package dev.daybreak.platform.web;

import dev.daybreak.platform.security.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The routes of a feature, a bean that reads as one table: method, path, who may, handler, description. GET answers HEAD as well; a request that
 * accepts nothing of what its route {@linkplain ApiDoc#answers answers} is refused with 406 before the handler runs.
 */
public final class ApiRoutes {

    final List<RouteTable.Row> rows = new ArrayList<>();

    private ApiRoutes() {}

    public static ApiRoutes route() {
        return new ApiRoutes();
    }

    public ApiRoutes GET(String pattern, Access access, HandlerFunction<ServerResponse> handler, ApiDoc doc) {
        return add(Set.of(HttpMethod.GET, HttpMethod.HEAD), pattern, access, handler, doc);
    }

    public ApiRoutes POST(String pattern, Access access, HandlerFunction<ServerResponse> handler, ApiDoc doc) {
        return add(Set.of(HttpMethod.POST), pattern, access, handler, doc);
    }

    public ApiRoutes PUT(String pattern, Access access, HandlerFunction<ServerResponse> handler, ApiDoc doc) {
        return add(Set.of(HttpMethod.PUT), pattern, access, handler, doc);
    }

    public ApiRoutes PATCH(String pattern, Access access, HandlerFunction<ServerResponse> handler, ApiDoc doc) {
        return add(Set.of(HttpMethod.PATCH), pattern, access, handler, doc);
    }

    public ApiRoutes DELETE(String pattern, Access access, HandlerFunction<ServerResponse> handler, ApiDoc doc) {
        return add(Set.of(HttpMethod.DELETE), pattern, access, handler, doc);
    }

    private ApiRoutes add(
            Set<HttpMethod> methods,
            String pattern,
            Access access,
            HandlerFunction<ServerResponse> handler,
            ApiDoc doc) {
        rows.add(new RouteTable.Row(methods, pattern, access, Acceptance.required(doc.mediaTypes(), handler), doc));
        return this;
    }
}
