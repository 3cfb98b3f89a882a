package dev.daybreak.notification;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import tools.jackson.databind.json.JsonMapper;

/** A gateway for text messages that keeps what it accepts, and misbehaves on demand. */
final class SmsGateway {

    enum Behaviour {
        ACCEPT,
        FAIL,
        HANG,
        REDIRECT,
        NONSENSE,
        ACCEPT_AND_RAMBLE
    }

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Queue<Map<String, Object>> received = new ConcurrentLinkedQueue<>();
    private final DisposableServer server =
            HttpServer.create().host("127.0.0.1").port(0).handle(this::answer).bindNow();
    private volatile Behaviour behaviour = Behaviour.ACCEPT;

    String url() {
        return "http://127.0.0.1:" + server.port() + "/messages";
    }

    void behave(Behaviour next) {
        behaviour = next;
    }

    /** What was accepted for a number. */
    List<Map<String, Object>> received(String phone) {
        return received.stream().filter(sms -> phone.equals(sms.get("to"))).toList();
    }

    List<Map<String, Object>> received() {
        return List.copyOf(received);
    }

    private Publisher<Void> answer(HttpServerRequest request, HttpServerResponse response) {
        return request.receive().aggregate().asString(StandardCharsets.UTF_8).flatMap(body -> answer(response, body));
    }

    @SuppressWarnings("unchecked")
    private Mono<Void> answer(HttpServerResponse response, String body) {
        return switch (behaviour) {
            case ACCEPT -> {
                received.add(JSON.readValue(body, Map.class));
                yield response.status(202).send();
            }
            case ACCEPT_AND_RAMBLE -> {
                received.add(JSON.readValue(body, Map.class));
                yield response.status(200)
                        .send(
                                Mono.just(Unpooled.copiedBuffer("<html>{{{", StandardCharsets.UTF_8))
                                        .concatWith(Mono.never()),
                                sent -> true)
                        .then();
            }
            case FAIL -> response.status(500).sendString(Mono.just("no")).then();
            case REDIRECT -> response.sendRedirect("http://127.0.0.1:1/elsewhere");
            case HANG -> Mono.never();
            case NONSENSE ->
                Mono.fromRunnable(() -> response.withConnection(connection -> {
                    var first = connection.channel().pipeline().firstContext();
                    first.writeAndFlush(Unpooled.copiedBuffer("220 smtp?\r\n\r\n", StandardCharsets.US_ASCII));
                    connection.channel().close();
                }));
        };
    }
}
