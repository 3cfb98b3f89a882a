package dev.daybreak.admin.login;

import static dev.daybreak.platform.problem.ProblemCode.LOGIN_FAILED;
import static dev.daybreak.platform.problem.ProblemCode.RATE_LIMITED;
import static dev.daybreak.platform.problem.ProblemCode.UNAVAILABLE;
import static dev.daybreak.platform.security.Access.admin;
import static dev.daybreak.platform.security.Access.everybody;
import static dev.daybreak.platform.web.ApiDoc.doc;
import static dev.daybreak.platform.web.ApiRoutes.route;

import dev.daybreak.platform.password.PasswordAttempts;
import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.platform.security.DevelopmentTokens;
import dev.daybreak.platform.security.DevelopmentTokens.Issued;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.platform.web.Input;
import java.time.Clock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.http.CacheControl;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LoginSettings.class)
class LoginConfiguration {

    @Bean
    LoginAccount loginAccount(LoginSettings settings) {
        return new LoginAccount(settings, System.out);
    }

    @Bean
    LoginSessions loginSessions(
            ReactiveStringRedisTemplate redis, RedisCircuit circuit, Clock clock, LoginSettings settings) {
        return new LoginSessions(redis, circuit, clock, settings.session());
    }

    @Bean
    ApiRoutes loginRoutes(
            LoginAccount account,
            LoginSessions sessions,
            ReactiveStringRedisTemplate redis,
            RedisCircuit circuit,
            Clock clock,
            LoginSettings settings) {
        var attempts = new PasswordAttempts(redis, circuit, clock, "login", settings.attempts(), settings.window());
        var handler = new LoginHandler(account, attempts, sessions);
        return route().POST(
                        "/api/admin/login",
                        everybody(),
                        handler::login,
                        doc("login", "Log in by name and password")
                                .tag("Administration")
                                .description("The token is sent as X-Admin-Token with every further call.")
                                .body(LoginRequest.class, """
                                        {"name": "admin", "password": "correct horse battery staple"}""")
                                .answers(200, "Logged in", LoginView.class, LoginView.EXAMPLE)
                                .problems(LOGIN_FAILED, RATE_LIMITED, UNAVAILABLE)
                                .withoutDatabase())
                .POST(
                        "/api/admin/logout",
                        admin(),
                        handler::logout,
                        doc("logout", "Log out")
                                .tag("Administration")
                                .description("The token that is sent as X-Admin-Token counts no longer, at once.")
                                .answers(204, "Logged out")
                                .withoutDatabase());
    }

    /** Elsewhere there is no such path. */
    @Bean
    ApiRoutes developmentRoutes(DevelopmentTokens tokens) {
        return !tokens.areOffered()
                ? route()
                : route().POST(
                                "/api/dev/token",
                                everybody(),
                                request -> issue(request, tokens),
                                doc("developmentToken", "A token to try things out with")
                                        .tag("Development")
                                        .description(
                                                "Only on the embedded database with no authentication configured. Without a"
                                                        + " token everything is allowed there; with one, what its holder may.")
                                        .body(DevelopmentTokenRequest.class, """
                                                {"patientId": 77}""")
                                        .answers(200, "Issued", Issued.class, """
                                                {"token": "eyJhbGciOiJIUzI1NiJ9.e30.Et9HFtf9R3GEMA0IICOfFMVXY7kkTX1wr4qCyhIf58U",
                                                 "expiresAt": "2026-10-12T19:00:00Z"}""")
                                        .withoutDatabase());
    }

    private static Mono<ServerResponse> issue(ServerRequest request, DevelopmentTokens tokens) {
        return Input.body(request)
                .map(DevelopmentTokenRequest::read)
                .map(tokens::issue)
                .flatMap(issued ->
                        ServerResponse.ok().cacheControl(CacheControl.noStore()).bodyValue(issued));
    }
}
