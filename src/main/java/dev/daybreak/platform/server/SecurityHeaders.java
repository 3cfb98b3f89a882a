package dev.daybreak.platform.server;

import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Tells browsers what they may do with an answer. What a handler says itself takes precedence. An answer of the API is no page: that it
 * is what it says, and is kept by nobody, is all there is to say of it in a rush.
 */
final class SecurityHeaders implements WebFilter, Ordered {

    private static final String API = "/api/";
    private static final String DOCUMENTATION = "/swagger-ui";
    private static final String LIBRARIES = "/webjars/";
    // Swagger UI sets styles on elements and has pictures in its style sheets.
    private static final String STYLED = "; style-src 'self' 'unsafe-inline'";
    private static final String A_YEAR = "max-age=31536000";

    private final String policy;

    SecurityHeaders(String policy) {
        this.policy = policy;
    }

    /** Before whatever may answer. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE + 10;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        HttpHeaders headers = exchange.getResponse().getHeaders();
        headers.set("X-Content-Type-Options", "nosniff");
        if ("https".equals(request.getURI().getScheme())) {
            headers.set("Strict-Transport-Security", A_YEAR);
        }
        String path = request.getPath().value();
        if (path.startsWith(API)) {
            headers.set(HttpHeaders.CACHE_CONTROL, "no-store");
            return chain.filter(exchange);
        }
        boolean styled = path.startsWith(DOCUMENTATION) || path.startsWith(LIBRARIES);
        headers.set("Content-Security-Policy", styled ? policy + STYLED : policy);
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()");
        return chain.filter(exchange);
    }
}
