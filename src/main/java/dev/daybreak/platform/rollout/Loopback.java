package dev.daybreak.platform.rollout;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;

/** Calls this instance over HTTP as a client does. */
public final class Loopback {

    private final HttpClient client;

    Loopback(HttpClient client) {
        this.client = client;
    }

    /** Completes when the answer has been read, whatever it says. */
    public Mono<Void> get(String path, Map<String, String> headers) {
        return client.headers(all -> headers.forEach(all::set))
                .get()
                .uri(path)
                .responseContent()
                .then();
    }

    /** Completes when the answer has been read, whatever it says. */
    public Mono<Void> post(String path, Map<String, String> headers, String json) {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        return client.headers(all -> {
                    headers.forEach(all::set);
                    all.set("Content-Type", "application/json");
                    all.set("Content-Length", body.length);
                })
                .post()
                .uri(path)
                .send(ByteBufFlux.fromInbound(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(body))))
                .responseContent()
                .then();
    }
}
