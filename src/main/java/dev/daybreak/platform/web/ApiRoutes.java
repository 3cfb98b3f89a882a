package dev.daybreak.platform.web;

import java.util.Set;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The routes of a feature as one table: method, path, handler, description. GET answers HEAD as well; a request that
 * accepts nothing of what its route {@linkplain ApiDoc#answers answers} is refused with 406 before the handler runs.
 */
public final class ApiRoutes {

    private final RouterFunctions.Builder routes = RouterFunctions.route();

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
        return routes.build();
    }

    private ApiRoutes add(
            Set<HttpMethod> methods, String pattern, HandlerFunction<ServerResponse> handler, ApiDoc doc) {
        routes.route(
                        RequestPredicates.methods(methods.toArray(HttpMethod[]::new))
                                .and(RequestPredicates.path(pattern)),
                        Acceptance.required(doc.mediaTypes(), handler))
                .withAttribute(ApiDoc.ATTRIBUTE, doc);
        return this;
    }
}
