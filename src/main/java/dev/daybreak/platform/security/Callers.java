package dev.daybreak.platform.security;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Finds out who makes a request. */
public final class Callers {

    /** The header of a token that somebody got by logging in. */
    public static final String ADMIN_TOKEN = "X-Admin-Token";

    Callers() {}

    /** Who makes the request, if that is known without asking anybody; null if it takes {@link #identify}. */
    public @Nullable Actor known(ServerWebExchange exchange) {
        return Actor.anonymous(address(exchange.getRequest()));
    }

    /** Emits who makes the request, never nobody: without credentials it is a stranger. */
    public Mono<Actor> identify(ServerWebExchange exchange) {
        return Mono.just(Actor.anonymous(address(exchange.getRequest())));
    }

    private static @Nullable InetAddress address(ServerHttpRequest request) {
        InetSocketAddress remote = request.getRemoteAddress();
        return remote == null ? null : remote.getAddress();
    }
}
