package dev.daybreak.platform.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.daybreak.platform.DemoService;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.test.context.TestConstructor;
import org.springframework.test.web.reactive.server.WebTestClient;

/** What answers tell browsers, and which pages may ask. */
@SpringBootTest(
        classes = DemoService.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "server.address=127.0.0.1",
            "server.forward-headers-strategy=framework",
            "management.endpoint.health.validate-group-membership=false",
            "spring.flyway.enabled=false",
            "daybreak.web.cors.origins=https://portal.example.org,http://localhost:3000"
        })
@AutoConfigureWebTestClient
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class SecurityHeadersTests {

    private final WebTestClient client;

    SecurityHeadersTests(WebTestClient client) {
        this.client = client;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/orders/7", "/api/failures/internal", "/api/nothing", "/nothing"})
    void saysNothingOfWhatTheServiceIsMadeOf(String path) {
        var answer = client.get().uri(path).exchange().expectBody(String.class).returnResult();

        assertThat(answer.getResponseHeaders().headerNames())
                .doesNotContain("Server", "X-Powered-By", "X-Application-Context");
        assertThat(answer.getResponseHeaders().getFirst("X-Content-Type-Options"))
                .isEqualTo("nosniff");
        assertThat(answer.getResponseBody()).doesNotContainPattern("(?i)netty|spring|java\\.|trace|exception");
    }

    @Test
    void letsNobodyKeepAnAnswerOfTheApi() {
        client.get().uri("/api/orders/7").exchange().expectHeader().valueEquals("Cache-Control", "no-store");
        client.get().uri("/api/failures/full").exchange().expectHeader().valueEquals("Cache-Control", "no-store");
    }

    @Test
    void letsPagesLoadNothingFromElsewhereAndNobodyFrameThem() {
        client.get()
                .uri("/nothing")
                .exchange()
                .expectHeader()
                .value(
                        "Content-Security-Policy",
                        policy -> assertThat(policy)
                                .contains(
                                        "default-src 'self'",
                                        "frame-ancestors 'none'",
                                        "object-src 'none'",
                                        "base-uri 'none'")
                                .doesNotContain("unsafe"))
                .expectHeader()
                .valueEquals("Referrer-Policy", "no-referrer")
                .expectHeader()
                .valueEquals("X-Frame-Options", "DENY")
                .expectHeader()
                .doesNotExist("Strict-Transport-Security");
    }

    @Test
    void asksForTlsOnlyBehindTls() {
        client.get()
                .uri("/api/orders/7")
                .header("X-Forwarded-Proto", "https")
                .header("X-Forwarded-Host", "clinic.example.org")
                .exchange()
                .expectHeader()
                .valueEquals("Strict-Transport-Security", "max-age=31536000");
    }

    @Test
    void servesTheDocumentationWithoutScriptsInThePage() {
        String page = client.get()
                .uri("/webjars/swagger-ui/index.html")
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .value(
                        "Content-Security-Policy",
                        policy -> assertThat(policy).doesNotContain("script-src 'unsafe-inline'"))
                .expectBody(String.class)
                .returnResult()
                .getResponseBody();

        assertThat(page).doesNotContainPattern("<script(?![^>]*src=)").doesNotContainPattern("\\son[a-z]+=");
    }

    @Test
    void letsTheNamedOriginsAskAndNoOthers() {
        preflight("https://portal.example.org")
                .expectStatus()
                .isOk()
                .expectHeader()
                .valueEquals(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, "https://portal.example.org")
                .expectHeader()
                .doesNotExist(HttpHeaders.ACCESS_CONTROL_ALLOW_CREDENTIALS);
        preflight("https://evil.example.org")
                .expectStatus()
                .isForbidden()
                .expectHeader()
                .doesNotExist(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN);
        client.get()
                .uri("/api/orders/7")
                .header("Origin", "http://localhost:3000")
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .value(
                        HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS,
                        exposed -> assertThat(exposed).contains("Retry-After", "Location"));
    }

    private WebTestClient.ResponseSpec preflight(String origin) {
        return client.method(HttpMethod.OPTIONS)
                .uri("/api/orders")
                .header("Origin", origin)
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "content-type, idempotency-key, authorization")
                .exchange();
    }

    @Test
    void answersNoOtherOriginWhenNoneIsNamed() {
        try (ConfigurableApplicationContext service = new SpringApplicationBuilder(DemoService.class)
                .run(
                        "--server.port=0",
                        "--server.address=127.0.0.1",
                        "--management.endpoint.health.validate-group-membership=false",
                        "--spring.flyway.enabled=false")) {
            var answer = WebTestClient.bindToServer()
                    .baseUrl("http://127.0.0.1:" + service.getEnvironment().getProperty("local.server.port"))
                    .build()
                    .method(HttpMethod.OPTIONS)
                    .uri("/api/orders")
                    .header("Origin", "https://portal.example.org")
                    .header("Access-Control-Request-Method", "POST")
                    .exchange();
            answer.expectHeader().doesNotExist(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "portal.example.org", "https://portal.example.org/", "ftp://x", "https://a b", "null"})
    void refusesWhatIsNoOrigin(String origin) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ServerSettings.Cors(List.of(origin)))
                .withMessageContaining("daybreak.web.cors.origins");
    }
}
