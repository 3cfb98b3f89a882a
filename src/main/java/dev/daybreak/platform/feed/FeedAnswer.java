package dev.daybreak.platform.feed;

import dev.daybreak.platform.answer.DirectAnswer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** A stream on its way to a client. The client is counted in while it is being written, so it cannot be left behind. */
record FeedAnswer<K>(Feed<?, K, ?> feed, K key) implements DirectAnswer {

    @Override
    public HttpStatusCode statusCode() {
        return HttpStatus.OK;
    }

    @Override
    public Mono<Void> writeTo(ServerWebExchange exchange, Context context) {
        return Mono.using(
                () -> feed.join(key, exchange.getResponse()),
                client -> client.watched().ready().flatMap(ready -> write(client, exchange)),
                FeedClient::leave);
    }

    private Mono<Void> write(FeedClient client, ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatus.OK);
        describe(response.getHeaders());
        return exchange.getRequest().getMethod().equals(HttpMethod.HEAD)
                ? response.setComplete()
                : response.writeAndFlushWith(client.stream());
    }

    @Override
    public void describe(HttpHeaders headers) {
        headers.setContentType(MediaType.TEXT_EVENT_STREAM);
        // Nothing between here and the client may keep, compress or gather what has to arrive now.
        headers.set(HttpHeaders.CACHE_CONTROL, "no-store, no-transform");
        headers.set("X-Accel-Buffering", "no");
        headers.set(HttpHeaders.VARY, HttpHeaders.ACCEPT);
    }
}
