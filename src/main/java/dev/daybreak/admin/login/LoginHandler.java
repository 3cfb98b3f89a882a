package dev.daybreak.admin.login;

import dev.daybreak.platform.password.PasswordAttempts;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.security.Callers;
import dev.daybreak.platform.security.Secret;
import dev.daybreak.platform.web.Input;
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
    private final PasswordAttempts attempts;
    private final LoginSessions sessions;

    LoginHandler(LoginAccount account, PasswordAttempts attempts, LoginSessions sessions) {
        this.account = account;
        this.attempts = attempts;
        this.sessions = sessions;
    }

    Mono<ServerResponse> login(ServerRequest request) {
        String address = Actor.of(request).address();
        return Input.body(request)
                .map(LoginRequest::read)
                .flatMap(login -> matches(login, address))
                .flatMap(matching -> matching ? opened() : Mono.error(refused(request, address)));
    }

    // Somebody may have typed the password in the wrong place: what is kept of a name is a hash.
    private Mono<Boolean> matches(LoginRequest login, String address) {
        return attempts.limit(
                        address,
                        Secret.hexHash(login.name()),
                        Mono.fromSupplier(() -> account.matches(login.name(), login.password())),
                        right -> right)
                .doOnError(Refusal.class, tooOften -> LOG.warn("Too many logins are tried from {}", address));
    }

    private static Refusal refused(ServerRequest request, String address) {
        LOG.warn("A login from {} was refused", address);
        request.exchange().getResponse().getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, "Daybreak-Login");
        return new Refusal(ProblemCode.LOGIN_FAILED);
    }

    private Mono<ServerResponse> opened() {
        return sessions.open(account.name())
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
