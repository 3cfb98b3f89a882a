package dev.daybreak.admin.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Bearer;
import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import dev.daybreak.MutableClock;
import dev.daybreak.TestServers;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Flux;

/** Login of the administration: cases L4, L8 and L12. */
@DaybreakTest
@ExtendWith(OutputCaptureExtension.class)
class LoginTest {

    private static final String PASSWORD = "correct horse battery staple";
    private static final String ADMIN_PATH = "/api/admin/invariants";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Autowired
    ApplicationContext first;

    @Autowired
    Clock clock;

    @Autowired
    ReactiveStringRedisTemplate redis;

    private ConfigurableApplicationContext service(String... more) {
        forgetAttempts();
        String[] properties = Stream.concat(
                        Stream.of(
                                "daybreak.security.jwt.secret=" + Bearer.SECRET,
                                "daybreak.admin.name=head",
                                "daybreak.admin.password=" + PASSWORD),
                        Stream.of(more))
                .toArray(String[]::new);
        return TestServers.anotherInstance(first, properties);
    }

    @AfterEach
    void forgetAttempts() {
        redis.delete(redis.keys("{login}:*")).block(PATIENCE);
    }

    private static Answer login(ApplicationContext service, String name, String password) {
        return new Clinic(service)
                .send(HttpMethod.POST, "/api/admin/login", Map.of(), Map.of("name", name, "password", password));
    }

    private static int use(ApplicationContext service, Object token) {
        return new Clinic(service)
                .send(HttpMethod.GET, ADMIN_PATH, Map.of("X-Admin-Token", token.toString()), null)
                .status()
                .value();
    }

    @Test
    void aTokenCountsOnEveryInstanceUntilItIsLoggedOut() {
        try (var service = service();
                var other = service()) {
            Answer loggedIn = login(service, "head", PASSWORD);
            Object token = Objects.requireNonNull(loggedIn.body().get("token"));

            assertThat(loggedIn.body()).containsEntry("role", "admin").containsKey("expiresAt");
            assertThat(loggedIn.headers()).containsEntry("Cache-Control", "no-store");
            assertThat(use(service, token)).isEqualTo(200);
            assertThat(use(other, token)).isEqualTo(200);

            assertThat(new Clinic(other)
                            .send(HttpMethod.POST, "/api/admin/logout", Map.of("X-Admin-Token", token.toString()), null)
                            .is(204))
                    .isTrue();
            assertThat(use(service, token)).isEqualTo(401);
            assertThat(use(other, token)).isEqualTo(401);
        }
    }

    @Test
    void aTokenExpires() {
        var service =
                new Clinic(first); // whose clock can be set; asks for no credentials, but checks those that are sent
        var sessions = first.getBean(LoginSessions.class);
        String token = Objects.requireNonNull(sessions.open("head").block(PATIENCE))
                .token()
                .reveal();
        var settable = (MutableClock) clock;
        try {
            assertThat(service.send(HttpMethod.GET, ADMIN_PATH, Map.of("X-Admin-Token", token), null)
                            .is(200))
                    .isTrue();
            settable.advance(Duration.ofHours(12));
            assertThat(service.send(HttpMethod.GET, ADMIN_PATH, Map.of("X-Admin-Token", token), null)
                            .code())
                    .isEqualTo("UNAUTHORIZED");
        } finally {
            settable.reset();
        }
    }

    @Test
    void anybodyMayCallWithoutCredentialsWhereNoneAreConfiguredButNotWithFalseOnes() {
        var service = new Clinic(first);

        assertThat(service.get(ADMIN_PATH).is(200)).isTrue();
        assertThat(service.send(HttpMethod.GET, ADMIN_PATH, Map.of("X-Admin-Token", "invented"), null)
                        .is(401))
                .isTrue();
        assertThat(service.send(
                                HttpMethod.GET,
                                ADMIN_PATH,
                                Bearer.header(Bearer.of("admin").signed()),
                                null)
                        .is(401))
                .isTrue();
        assertThat(service.send(HttpMethod.POST, "/api/dev/token", Map.of(), Map.of("patientId", 77))
                        .is(404))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"head wrong password", "Head " + PASSWORD, "admin " + PASSWORD, "head x"})
    void anythingElseThanTheNameAndThePasswordIsRefusedAlike(String attempt) {
        try (var service = service()) {
            int space = attempt.indexOf(' ');

            Answer refused = login(service, attempt.substring(0, space), attempt.substring(space + 1));

            assertThat(refused.status().value()).isEqualTo(401);
            assertThat(refused.code()).isEqualTo("LOGIN_FAILED");
            assertThat(refused.headers()).containsKey("WWW-Authenticate");
        }
    }

    @Test
    void fiveAttemptsAMinuteAreEnoughInAnyOrder() {
        try (var service = service();
                var other = service()) {
            login(service, "head", PASSWORD);
            login(other, "head", PASSWORD);

            var codes = Flux.range(0, 40)
                    .flatMap(
                            i -> new Clinic(i % 2 == 0 ? service : other)
                                    .calling(
                                            HttpMethod.POST,
                                            "/api/admin/login",
                                            Map.of(),
                                            Map.of("name", "head", "password", "guess " + i)),
                            4)
                    .collectList()
                    .block(PATIENCE);

            // Five, unless an instance got no answer from Redis in time and counted for itself.
            assertThat(codes).filteredOn(answer -> answer.is(401)).hasSizeBetween(5, 10);
            assertThat(codes).filteredOn(answer -> !answer.is(401)).allSatisfy(answer -> {
                assertThat(answer.status().value()).isEqualTo(429);
                assertThat(Integer.parseInt(answer.headers().get("Retry-After")))
                        .isBetween(1, 60);
            });
            assertThat(login(service, "head", PASSWORD).is(429)).isTrue();
        }
    }

    @Test
    void whoKnowsThePasswordMayLogInAsOftenAsTheyLike() {
        try (var service = service()) {
            for (int i = 0; i < 12; i++) {
                assertThat(login(service, "head", PASSWORD).is(200)).isTrue();
            }
        }
    }

    @Test
    void whileRedisIsAwayNobodyCanTellAndGuessingIsLimitedAllTheSame() throws Exception {
        var there = Objects.requireNonNull(
                first.getBean(DataRedisConnectionDetails.class).getStandalone());
        try (var proxy = FaultyProxy.to(there.getHost(), there.getPort());
                var service = service("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + proxy.port())) {
            Object token = login(service, "head", PASSWORD).body().get("token");
            proxy.cut();

            Awaitility.await().atMost(PATIENCE).until(() -> use(service, token) == 503);
            assertThat(login(service, "head", PASSWORD).code()).isEqualTo("UNAVAILABLE");
            var limited = new AtomicInteger();
            for (int i = 0; i < 10; i++) {
                limited.addAndGet(login(service, "head", "guess").is(429) ? 1 : 0);
            }
            assertThat(limited.get()).isBetween(5, 6);
        }
    }

    @Test
    void keepsNeitherTokenNorPasswordAnywhereInClear(CapturedOutput log) {
        try (var service = service()) {
            String token = login(service, "head", PASSWORD).token();
            login(service, "head", "a wrong one that is secret too");
            use(service, token);
            use(service, token + "x");

            List<String> keys = redis.keys("*login*").collectList().block(PATIENCE);
            assertThat(keys).isNotEmpty().noneMatch(key -> key.contains(token));
            assertThat(log.getAll()).doesNotContain(token, PASSWORD, "secret too");
        }
    }

    @Test
    void aRandomPasswordIsShownOnceAndNotLogged(CapturedOutput output) {
        try (var service = service("daybreak.admin.password=")) {
            String line = output.getOut()
                    .lines()
                    .filter(printed -> printed.startsWith("Administration: log in as head"))
                    .reduce((earlier, later) -> later)
                    .orElseThrow();
            String password = line.split("password ")[1].split(" ")[0];

            assertThat(output.getAll().split(Pattern.quote(password), -1)).hasSize(2);
            assertThat(login(service, "head", password).is(200)).isTrue();
        }
    }
}
