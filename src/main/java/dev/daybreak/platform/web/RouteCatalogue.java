package dev.daybreak.platform.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Every route of every router function, as a list: what can be answered, and what else a known path answers. */
public final class RouteCatalogue {

    private final List<Route> routes;
    private final Map<Route, ApiDoc> docs;
    private final Map<PathPattern, Set<HttpMethod>> methods = new LinkedHashMap<>();

    RouteCatalogue(List<RouterFunction<?>> functions) {
        var collector = new RouteCollector();
        functions.forEach(function -> function.accept(collector));
        routes = List.copyOf(collector.routes());
        docs = collector.docs();
        for (Route route : routes) {
            methods.computeIfAbsent(
                            PathPatternParser.defaultInstance.parse(route.pattern()), pattern -> new LinkedHashSet<>())
                    .add(route.method());
        }
    }

    public List<Route> routes() {
        return routes;
    }

    /** The described routes in the order in which they are declared. */
    Map<Route, ApiDoc> docs() {
        return docs;
    }

    /** The methods a path answers, none if there is no such path. */
    public List<HttpMethod> methods(PathContainer path) {
        var allowed = new ArrayList<HttpMethod>();
        methods.forEach((pattern, answered) -> {
            if (pattern.matches(path)) {
                answered.stream().filter(method -> !allowed.contains(method)).forEach(allowed::add);
            }
        });
        return allowed;
    }
}
