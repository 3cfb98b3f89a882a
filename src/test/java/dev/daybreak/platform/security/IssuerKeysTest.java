package dev.daybreak.platform.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import dev.daybreak.Bearer;
import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Tokens of an issuer with its own keys, which change, and an issuer that is away. */
@DaybreakTest
class IssuerKeysTest {

    private static final String PATH = "/api/patients/77/appointments";

    @Autowired
    ApplicationContext first;

    final RSAKey key = key("one");
    final RSAKey next = key("two");
    final AtomicInteger asked = new AtomicInteger();
    volatile JWKSet published = new JWKSet(key.toPublicJWK());
    DisposableServer issuer;
    String issuerUri;

    private static RSAKey key(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (com.nimbusds.jose.JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void startIssuer() {
        issuer = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .route(routes -> routes.get(
                                "/realm/.well-known/openid-configuration",
                                (request, response) -> response.sendString(
                                        Mono.fromSupplier(() -> "{\"issuer\": \"%s\", \"jwks_uri\": \"%s/keys\"}"
                                                .formatted(issuerUri, issuerUri))))
                        .get("/realm/keys", (request, response) -> {
                            asked.incrementAndGet();
                            return response.sendString(Mono.fromSupplier(() -> published.toString()));
                        }))
                .bindNow();
        issuerUri = "http://127.0.0.1:" + issuer.port() + "/realm";
    }

    @AfterEach
    void stopIssuer() {
        issuer.disposeNow();
    }

    private ConfigurableApplicationContext service(String... more) {
        String[] properties = Stream.concat(
                        Stream.of("spring.security.oauth2.resourceserver.jwt.issuer-uri=" + issuerUri), Stream.of(more))
                .toArray(String[]::new);
        return TestServers.anotherInstance(first, properties);
    }

    private static int ask(ConfigurableApplicationContext service, String token) {
        return new Clinic(service)
                .send(HttpMethod.GET, PATH, Bearer.header(token), null)
                .status()
                .value();
    }

    private Bearer patient() {
        return Bearer.patient(77).with("iss", issuerUri);
    }

    @Test
    void verifiesByTheIssuersKeysFetchedBeforeTheyAreNeeded() {
        try (var service = service()) {
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> asked.get() == 1);

            assertThat(ask(service, patient().signedWith(key, JWSAlgorithm.RS256)))
                    .isEqualTo(200);
            assertThat(ask(service, Bearer.patient(77).signedWith(key, JWSAlgorithm.RS256))) // names another issuer
                    .isEqualTo(401);
            assertThat(ask(service, patient().signedWith(key, JWSAlgorithm.RS512)))
                    .isEqualTo(401);
            assertThat(ask(service, patient().signedWith(Bearer.SECRET, JWSAlgorithm.HS256)))
                    .isEqualTo(401);
            assertThat(ask(service, patient().unsigned())).isEqualTo(401);
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void asksForATokensUnknownKeyButNotForEveryInventedOne() {
        try (var service = service("daybreak.security.jwt.refresh=1h")) {
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> asked.get() == 1);
            published = new JWKSet(next.toPublicJWK());

            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> ask(service, patient().signedWith(next, JWSAlgorithm.RS256)) == 200);
            int before = asked.get();
            RSAKey invented = key("invented");
            for (int i = 0; i < 50; i++) {
                assertThat(ask(service, patient().with("jti", "t" + i).signedWith(invented, JWSAlgorithm.RS256)))
                        .isEqualTo(401);
            }

            assertThat(asked.get() - before).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void aKeyThatIsTakenBackCountsNoLonger() {
        try (var service = service("daybreak.security.jwt.refresh=1s")) {
            String token = patient().signedWith(key, JWSAlgorithm.RS256);
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> ask(service, token) == 200);
            published = new JWKSet(next.toPublicJWK());

            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> ask(service, token) == 401);
        }
    }

    @Test
    void withoutAnyKeysItSaysComeBackAndNotWhoAreYou() {
        issuer.disposeNow();
        try (var service = service()) {
            var answer = new Clinic(service)
                    .send(HttpMethod.GET, PATH, Bearer.header(patient().signedWith(key, JWSAlgorithm.RS256)), null);

            assertThat(answer.status().value()).isEqualTo(503);
            assertThat(answer.code()).isEqualTo("UNAVAILABLE");
            assertThat(answer.headers()).containsKey("Retry-After");
            assertThat(new Clinic(service).get("/api/doctors").is(200)).isTrue();
        }
    }
}
