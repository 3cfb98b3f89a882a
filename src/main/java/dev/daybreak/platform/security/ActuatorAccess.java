package dev.daybreak.platform.security;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.http.server.PathContainer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/**
 * The rule of the actuator, which is in no route table: some of its endpoints are open, the others are for admins. Matches
 * paths as Spring does when it looks for an endpoint, so that no other spelling of one gets past.
 */
public final class ActuatorAccess {

    private final Callers callers;
    private final List<PathPattern> all;
    private final List<PathPattern> open;

    ActuatorAccess(Callers callers, String basePath, Set<String> openEndpoints) {
        String base = basePath.endsWith("/") ? basePath.substring(0, basePath.length() - 1) : basePath;
        this.callers = callers;
        this.all = patterns(base);
        this.open = openEndpoints.stream()
                .flatMap(endpoint -> patterns(base + "/" + endpoint).stream())
                .toList();
    }

    private static List<PathPattern> patterns(String path) {
        return Stream.of(path, path + "/**")
                .filter(pattern -> !pattern.isEmpty())
                .map(PathPatternParser.defaultInstance::parse)
                .toList();
    }

    /** Whether the path is one that only admins may have. */
    public boolean concerns(ServerWebExchange exchange) {
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        return matches(all, path) && !matches(open, path);
    }

    /** Completes if the caller may have it, and errors with a refusal otherwise. */
    public Mono<Void> check(ServerWebExchange exchange) {
        return callers.identify(exchange).flatMap(actor -> {
            if (actor.isAnonymous() || actor.isAdmin()) {
                return Mono.empty();
            }
            return Mono.error(actor.isStranger() ? callers.unknown(exchange) : new Refusal(ProblemCode.FORBIDDEN));
        });
    }

    private static boolean matches(List<PathPattern> patterns, PathContainer path) {
        return patterns.stream().anyMatch(pattern -> pattern.matches(path));
    }
}
