package dev.daybreak.platform.web;

import dev.daybreak.platform.security.ActuatorAccess;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.result.view.ViewResolver;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import reactor.core.publisher.Mono;

/**
 * Serves the API's routes as the last filter, without Spring's dispatcher: that asks one mapping after the other, the
 * management endpoints' first, then adapters and result handlers, and every signal of an answer passes all of them. What the
 * table does not know outside {@code /api/} goes on to the dispatcher, as far as the actuator's rule allows.
 */
final class DirectRoutes implements WebFilter, Ordered {

    private final RouteTable table;
    private final ActuatorAccess actuator;
    private final ServerCodecConfigurer codecs;
    private final ServerResponse.Context context;

    DirectRoutes(RouteTable table, ActuatorAccess actuator, ServerCodecConfigurer codecs) {
        this.table = table;
        this.actuator = actuator;
        this.codecs = codecs;
        this.context = new Codecs(codecs.getWriters());
    }

    private record Codecs(List<HttpMessageWriter<?>> messageWriters) implements ServerResponse.Context {

        @Override
        public List<ViewResolver> viewResolvers() {
            return List.of();
        }
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerRequest request = ServerRequest.create(exchange, codecs.getReaders());
        HandlerFunction<ServerResponse> handler = table.find(request);
        if (handler == null) {
            if (isOfTheApi(exchange)) {
                return Mono.error(new ResponseStatusException(HttpStatus.NOT_FOUND));
            }
            return actuator.concerns(exchange)
                    ? actuator.check(exchange).then(Mono.defer(() -> chain.filter(exchange)))
                    : chain.filter(exchange);
        }
        exchange.getAttributes().put(RouterFunctions.REQUEST_ATTRIBUTE, request);
        nameForMetrics(exchange);
        return handler.handle(request).flatMap(response -> response.writeTo(exchange, context));
    }

    /** All routes of the API are in the table, so nobody else has to be asked. */
    private static boolean isOfTheApi(ServerWebExchange exchange) {
        return exchange.getRequest().getPath().pathWithinApplication().value().startsWith("/api/");
    }

    private static void nameForMetrics(ServerWebExchange exchange) {
        if (exchange.getAttribute(RouterFunctions.MATCHING_PATTERN_ATTRIBUTE) instanceof PathPattern pattern) {
            ServerRequestObservationContext.findCurrent(exchange.getAttributes())
                    .ifPresent(observation -> observation.setPathPattern(pattern.getPatternString()));
        }
    }
}
