package dev.daybreak.platform.answer;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * An answer whose bytes are ready. Writes headers and bytes straight to the exchange: the builder of {@code ServerResponse}
 * gathers and copies all of it first, which costs a list a third of what its request takes.
 *
 * @param description sets the headers, those of the body included
 * @param body null for an answer that has none; not changed any more
 */
public record BytesAnswer(HttpStatusCode statusCode, Consumer<HttpHeaders> description, byte @Nullable [] body)
        implements ServerResponse {

    @Override
    public HttpHeaders headers() {
        var headers = new HttpHeaders();
        description.accept(headers);
        return headers;
    }

    @Override
    public MultiValueMap<String, ResponseCookie> cookies() {
        return new LinkedMultiValueMap<>();
    }

    @Override
    public Mono<Void> writeTo(ServerWebExchange exchange, Context context) {
        return write(exchange.getResponse());
    }

    /** Writes to a response that is not committed; headers set before are kept. */
    public Mono<Void> write(ServerHttpResponse response) {
        response.setStatusCode(statusCode);
        description.accept(response.getHeaders());
        return body == null
                ? response.setComplete()
                : response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }
}
