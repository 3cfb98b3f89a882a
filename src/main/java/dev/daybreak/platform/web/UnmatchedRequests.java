package dev.daybreak.platform.web;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.ProblemResponses;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Tells a wrong method from a wrong path: to Spring's functional routing both are just "not found". A known path answers
 * 405 with Allow, and OPTIONS; everything else is passed on.
 */
class UnmatchedRequests implements WebExceptionHandler, Ordered {

    private final ObjectProvider<RouteCatalogue> routes;
    private final ProblemResponses responses;

    UnmatchedRequests(ObjectProvider<RouteCatalogue> routes, ProblemResponses responses) {
        this.routes = routes;
        this.responses = responses;
    }

    /** Before the handler that answers every failure. */
    @Override
    public int getOrder() {
        return -3;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        if (exchange.getResponse().isCommitted() || !isUnmatched(failure)) {
            return Mono.error(failure);
        }
        var request = exchange.getRequest();
        List<HttpMethod> answered = routes.getObject().methods(request.getPath().pathWithinApplication());
        if (answered.isEmpty() || answered.contains(request.getMethod())) {
            return Mono.error(failure);
        }
        Set<HttpMethod> allowed = new LinkedHashSet<>(answered);
        allowed.add(HttpMethod.OPTIONS);
        exchange.getResponse().getHeaders().setAllow(allowed);
        if (request.getMethod().equals(HttpMethod.OPTIONS)) {
            exchange.getResponse().setStatusCode(HttpStatus.NO_CONTENT);
            return exchange.getResponse().setComplete();
        }
        return responses.write(exchange, Problem.of(ProblemCode.METHOD_NOT_ALLOWED));
    }

    private static boolean isUnmatched(Throwable failure) {
        return failure instanceof ResponseStatusException unmatched
                && (unmatched.getStatusCode().isSameCodeAs(HttpStatus.NOT_FOUND)
                        || unmatched.getStatusCode().isSameCodeAs(HttpStatus.METHOD_NOT_ALLOWED));
    }
}
