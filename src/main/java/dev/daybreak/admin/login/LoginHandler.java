package dev.daybreak.admin.login;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.security.Callers;
import dev.daybreak.platform.web.Input;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Login and logout over HTTP. */
final class LoginHandler {

    private static final Logger LOG = LoggerFactory.getLogger(LoginHandler.class);

    private final LoginAccount account;
    private final LoginAttempts attempts;
    private final LoginSessions sessions;

    LoginHandler(LoginAccount account, LoginAttempts attempts, LoginSessions sessions) {
        this.account = account;
        this.attempts = attempts;
        this.sessions = sessions;
    }

    Mono<ServerResponse> login(ServerRequest request) {
        String address = Actor.of(request).address();
        return Input.body(request)
                .map(LoginRequest::read)
                .flatMap(login -> attempts.count(login.name(), address)
                        .flatMap(wait ->
                                wait.isZero() ? check(request, login, address) : Mono.error(tooOften(address, wait))));
    }

    private static Refusal tooOften(String address, Duration wait) {
        LOG.warn("Too many logins are tried from {}", address);
        return new Refusal(Problem.of(ProblemCode.RATE_LIMITED).retryAfter(wait));
    }

    private Mono<ServerResponse> check(ServerRequest request, LoginRequest login, String address) {
        if (!account.matches(login.name(), login.password())) {
            LOG.warn("A login from {} was refused", address);
            request.exchange().getResponse().getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, "Daybreak-Login");
            return Mono.error(new Refusal(ProblemCode.LOGIN_FAILED));
        }
        return sessions.open(account.name())
                .delayUntil(session -> attempts.forget(login.name(), address))
                .flatMap(session -> ServerResponse.ok()
                        .cacheControl(CacheControl.noStore())
                        .bodyValue(new LoginView("admin", session.token().reveal(), session.expiresAt())));
    }

    /** Of a token that somebody else issued nothing is kept here that could be ended. */
    Mono<ServerResponse> logout(ServerRequest request) {
        String token = request.headers().firstHeader(Callers.ADMIN_TOKEN);
        Mono<Void> closed = token == null ? Mono.empty() : sessions.close(token);
        return closed.then(Mono.defer(() -> ServerResponse.noContent().build()));
    }
}
