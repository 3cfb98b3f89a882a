package dev.daybreak.platform.web;

import dev.daybreak.platform.rollout.Draining;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Gives every request its id, which is in its answer and in the log lines about it: the one it came with if that is sane, or a new
 * one. Without an operator of its own, so it costs a request next to nothing.
 */
final class Reception implements WebFilter, Ordered {

    static final String REQUEST_ID = "X-Request-Id";

    private static final int LONGEST = 64;
    private static final HexFormat HEX = HexFormat.of();

    private final Draining draining;

    Reception(Draining draining) {
        this.draining = draining;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        String sent = exchange.getRequest().getHeaders().getFirst(REQUEST_ID);
        String id = isSane(sent)
                ? sent
                : HEX.toHexDigits(ThreadLocalRandom.current().nextLong());
        exchange.getAttributes().put(ServerWebExchange.LOG_ID_ATTRIBUTE, id);
        HttpHeaders headers = exchange.getResponse().getHeaders();
        headers.set(REQUEST_ID, id);
        if (draining.hasBegun()) {
            headers.set(HttpHeaders.CONNECTION, "close");
        }
        return chain.filter(exchange);
    }

    /** What may stand in a header and in a line of the log: nobody can forge a second line with it. */
    private static boolean isSane(@Nullable String id) {
        if (id == null || id.isEmpty() || id.length() > LONGEST) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            boolean allowed =
                    c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || "-_.:".indexOf(c) >= 0;
            if (!allowed) {
                return false;
            }
        }
        return true;
    }
}
