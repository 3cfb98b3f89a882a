package dev.daybreak.platform.problem;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.ErrorResponse;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * The one place where a failed request becomes an answer. A response that is already on its way, or a client that has
 * gone, leaves nothing to answer: the failure is passed on.
 */
class ProblemExceptionHandler implements WebExceptionHandler, Ordered {

    private static final Logger log = LoggerFactory.getLogger(ProblemExceptionHandler.class);

    private final ProblemResponses responses;
    private final OutageLog outages = new OutageLog(log);

    ProblemExceptionHandler(ProblemResponses responses) {
        this.responses = responses;
    }

    /** Before Spring Boot's own handler, which has -1. */
    @Override
    public int getOrder() {
        return -2;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        if (exchange.getResponse().isCommitted()) {
            return Mono.error(failure);
        }
        Problem problem = Failures.problem(failure);
        if (problem.code() == ProblemCode.INTERNAL_ERROR) {
            if (Failures.isClientGone(failure)) {
                return Mono.error(failure);
            }
            log.atError()
                    .setCause(Unnamed.of(failure))
                    .addKeyValue("requestId", exchange.getAttributes().get(ServerWebExchange.LOG_ID_ATTRIBUTE))
                    .log(
                            "{}{} {} failed",
                            exchange.getLogPrefix(),
                            exchange.getRequest().getMethod(),
                            route(exchange));
        } else if (problem.code() == ProblemCode.UNAVAILABLE) {
            outages.note(failure);
        }
        if (failure instanceof ErrorResponse explained) {
            keep(HttpHeaders.ALLOW, explained, exchange);
            keep(HttpHeaders.ACCEPT, explained, exchange);
        }
        return responses.write(exchange, problem);
    }

    /** Not the path itself, which may name a patient. */
    private static Object route(ServerWebExchange exchange) {
        Object pattern = exchange.getAttribute(RouterFunctions.MATCHING_PATTERN_ATTRIBUTE);
        return pattern == null ? "of no route" : pattern;
    }

    private static void keep(String header, ErrorResponse from, ServerWebExchange exchange) {
        String value = from.getHeaders().getFirst(header);
        if (value != null) {
            exchange.getResponse().getHeaders().set(header, value);
        }
    }
}
