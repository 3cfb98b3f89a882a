package dev.daybreak.platform.answer;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * An answer whose bytes are ready.
 *
 * @param description sets the headers, those of the body included
 * @param body null for an answer that has none; not changed any more
 */
public record BytesAnswer(HttpStatusCode statusCode, Consumer<HttpHeaders> description, byte @Nullable [] body)
        implements DirectAnswer {

    @Override
    public void describe(HttpHeaders headers) {
        description.accept(headers);
    }

    @Override
    public Mono<Void> writeTo(ServerWebExchange exchange, Context context) {
        return write(exchange.getResponse());
    }

    /** Writes to a response that is not committed; headers set before are kept. */
    public Mono<Void> write(ServerHttpResponse response) {
        response.setStatusCode(statusCode);
        describe(response.getHeaders());
        return body == null
                ? response.setComplete()
                : response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }
}
