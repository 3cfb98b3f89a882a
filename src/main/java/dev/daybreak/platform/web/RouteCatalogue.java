package dev.daybreak.platform.web;

import dev.daybreak.platform.security.Access;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.util.Assert;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Every route of every router function, as a list: what can be answered, and what else a known path answers. */
public final class RouteCatalogue {

    private final List<Route> routes;
    private final Map<Route, ApiDoc> docs;
    private final Map<Route, Access> rules;
    private final Map<PathPattern, Set<HttpMethod>> methods = new LinkedHashMap<>();

    RouteCatalogue(List<RouterFunction<?>> functions) {
        var collector = new RouteCollector();
        functions.forEach(function -> function.accept(collector));
        routes = List.copyOf(collector.routes());
        docs = collector.docs();
        rules = collector.rules();
        requireRules();
        for (Route route : routes) {
            methods.computeIfAbsent(
                            PathPatternParser.defaultInstance.parse(route.pattern()), pattern -> new LinkedHashSet<>())
                    .add(route.method());
        }
    }

    public List<Route> routes() {
        return routes;
    }

    /** A route that is not in a table of {@link ApiRoutes} would be open to everybody, by mistake. */
    private void requireRules() {
        List<Route> open = routes.stream()
                .filter(route -> route.pattern().startsWith("/api/") && !rules.containsKey(route))
                .toList();
        Assert.state(open.isEmpty(), () -> "Nobody has said who may call " + open);
    }

    /** Who may call a route; null only outside the API. */
    public @Nullable Access rule(Route route) {
        return rules.get(route);
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
