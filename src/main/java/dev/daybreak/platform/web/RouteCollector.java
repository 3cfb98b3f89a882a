package dev.daybreak.platform.web;

import dev.daybreak.platform.security.Access;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RequestPredicate;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/** Walks router functions and writes down their routes. Understands methods and paths, alone, combined or nested. */
final class RouteCollector implements RouterFunctions.Visitor {

    private final List<Route> routes = new ArrayList<>();
    private final Map<Route, ApiDoc> docs = new LinkedHashMap<>();
    private final Map<Route, Access> rules = new LinkedHashMap<>();
    private final Deque<String> prefixes = new ArrayDeque<>();
    private @Nullable ApiDoc doc;
    private @Nullable Access access;

    List<Route> routes() {
        return routes;
    }

    Map<Route, ApiDoc> docs() {
        return docs;
    }

    Map<Route, Access> rules() {
        return rules;
    }

    @Override
    public void startNested(RequestPredicate predicate) {
        prefixes.addLast(Matched.by(predicate).path);
    }

    @Override
    public void endNested(RequestPredicate predicate) {
        prefixes.removeLast();
    }

    @Override
    public void route(RequestPredicate predicate, HandlerFunction<?> handler) {
        Matched matched = Matched.by(predicate);
        String pattern = String.join("", prefixes) + matched.path;
        for (HttpMethod method : matched.methods) {
            Route route = new Route(method, pattern);
            routes.add(route);
            if (access != null) {
                rules.put(route, access);
            }
            // HEAD is GET without the body: it needs no description of its own.
            if (doc != null && !method.equals(HttpMethod.HEAD)) {
                docs.put(route, doc);
            }
        }
        doc = null;
        access = null;
    }

    @Override
    public void attributes(Map<String, Object> attributes) {
        doc = (ApiDoc) attributes.get(ApiDoc.ATTRIBUTE);
        access = (Access) attributes.get(RouteTable.ACCESS);
    }

    @Override
    public void resources(Function<ServerRequest, Mono<Resource>> lookup) {
        // Files are no routes.
    }

    @Override
    public void unknown(RouterFunction<?> function) {
        // Declares nothing that could be listed.
    }

    private static final class Matched implements RequestPredicates.Visitor {

        private Set<HttpMethod> methods = Set.of();
        private String path = "";

        static Matched by(RequestPredicate predicate) {
            var matched = new Matched();
            predicate.accept(matched);
            return matched;
        }

        @Override
        public void method(Set<HttpMethod> methods) {
            this.methods = methods;
        }

        @Override
        public void path(String pattern) {
            path += pattern;
        }

        @Override
        @SuppressWarnings("removal")
        public void pathExtension(String extension) {}

        @Override
        public void header(String name, String value) {}

        @Override
        public void queryParam(String name, String value) {}

        @Override
        public void version(String version) {}

        @Override
        public void startAnd() {}

        @Override
        public void and() {}

        @Override
        public void endAnd() {}

        @Override
        public void startOr() {}

        @Override
        public void or() {}

        @Override
        public void endOr() {}

        @Override
        public void startNegate() {}

        @Override
        public void endNegate() {}

        @Override
        public void unknown(RequestPredicate predicate) {}
    }
}
