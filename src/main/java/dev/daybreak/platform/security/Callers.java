package dev.daybreak.platform.security;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Finds out who makes a request. Credentials that are sent count or are refused; only who sends none may be a stranger, or
 * anonymous where no credentials are asked for.
 */
public final class Callers {

    /** The header of a token that somebody got by logging in. */
    public static final String ADMIN_TOKEN = "X-Admin-Token";

    private static final String BEARER = "Bearer";
    private static final Pattern THIS_MACHINE =
            Pattern.compile("(?:localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1])(?::[0-9]{1,5})?", Pattern.CASE_INSENSITIVE);

    private final boolean anonymous;
    private final @Nullable Tokens tokens;
    private final @Nullable LoginTokens logins;

    /**
     * @param anonymous whether whoever sends no credentials may have everything
     * @param tokens null if there is nothing to verify bearer tokens with: none counts then
     * @param logins null if nobody can log in
     */
    Callers(boolean anonymous, @Nullable Tokens tokens, @Nullable LoginTokens logins) {
        this.anonymous = anonymous;
        this.tokens = tokens;
        this.logins = logins;
    }

    // The owner of a web site can let its name mean this machine; its pages would be anonymous here like whoever sits
    // at it.
    private static boolean isThisMachine(@Nullable String host) {
        return host == null || THIS_MACHINE.matcher(host).matches();
    }

    /** Who makes the request, if that is known without asking anybody; null if it takes {@link #identify}. */
    public @Nullable Actor known(ServerWebExchange exchange) {
        HttpHeaders headers = exchange.getRequest().getHeaders();
        if (headers.getFirst(ADMIN_TOKEN) != null) {
            return null;
        }
        String bearer = bearer(headers);
        if (bearer == null) {
            InetAddress from = address(exchange.getRequest());
            return anonymous && isThisMachine(headers.getFirst(HttpHeaders.HOST))
                    ? Actor.anonymous(from)
                    : Actor.stranger(from);
        }
        Identity identity = tokens == null ? null : tokens.known(bearer);
        return identity == null ? null : Actor.identified(identity, address(exchange.getRequest()));
    }

    /**
     * Emits who makes the request, never nobody: without credentials it is a stranger. Errors with an UNAUTHORIZED refusal for
     * credentials that do not count, and with UNAVAILABLE when that cannot be told now.
     */
    public Mono<Actor> identify(ServerWebExchange exchange) {
        HttpHeaders headers = exchange.getRequest().getHeaders();
        String login = headers.getFirst(ADMIN_TOKEN);
        String bearer = login == null ? bearer(headers) : null;
        if (login == null && bearer == null) {
            return Mono.justOrEmpty(known(exchange));
        }
        return verify(login, bearer)
                .map(identity -> Actor.identified(identity, address(exchange.getRequest())))
                .switchIfEmpty(Mono.error(() -> new Refusal(ProblemCode.UNAUTHORIZED)))
                .doOnError(Callers::isUnauthorized, failure -> challenge(exchange, true));
    }

    private Mono<Identity> verify(@Nullable String login, @Nullable String bearer) {
        if (login != null) {
            return logins == null ? Mono.empty() : logins.find(login);
        }
        return tokens == null || bearer == null ? Mono.empty() : tokens.verify(bearer);
    }

    /** The refusal of a request without credentials, once the response says which are asked for. */
    public Refusal unknown(ServerWebExchange exchange) {
        challenge(exchange, false);
        return new Refusal(ProblemCode.UNAUTHORIZED);
    }

    private static void challenge(ServerWebExchange exchange, boolean invalid) {
        String challenge = invalid ? BEARER + " error=\"invalid_token\"" : BEARER;
        exchange.getResponse().getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, challenge);
    }

    private static boolean isUnauthorized(Throwable failure) {
        return failure instanceof Refusal refusal && refusal.problem().code() == ProblemCode.UNAUTHORIZED;
    }

    /** The token of an Authorization header; other schemes may be meant for somebody on the way. */
    private static @Nullable String bearer(HttpHeaders headers) {
        String sent = headers.getFirst(HttpHeaders.AUTHORIZATION);
        if (sent == null || !sent.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return null;
        }
        return sent.substring(BEARER.length()).strip();
    }

    private static @Nullable InetAddress address(ServerHttpRequest request) {
        InetSocketAddress remote = request.getRemoteAddress();
        return remote == null ? null : remote.getAddress();
    }
}
