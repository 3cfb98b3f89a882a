package dev.daybreak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic.Answer;
import dev.daybreak.platform.web.RouteCatalogue;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.client.ExchangeStrategies;
import org.springframework.web.reactive.function.client.WebClient;
import tools.jackson.databind.JsonNode;

/** The description of the whole service, and that the service answers problems as described. */
@DaybreakTest
class OpenApiTest {

    @Autowired
    ApplicationContext service;

    @Autowired
    RouteCatalogue routes;

    Clinic clinic;
    JsonNode api;

    @BeforeEach
    void readTheDescription() {
        clinic = Clinic.at(service);
        api = WebClient.builder()
                .exchangeStrategies(ExchangeStrategies.builder()
                        .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(4 << 20))
                        .build())
                .build()
                .get()
                .uri("http://127.0.0.1:" + service.getEnvironment().getRequiredProperty("local.server.port")
                        + "/v3/api-docs")
                .retrieve()
                .bodyToMono(JsonNode.class)
                .block(Duration.ofSeconds(20));
    }

    @Test
    void describesEveryRoute() {
        assertThat(routes.routes())
                .filteredOn(route ->
                        route.pattern().startsWith("/api/") && !route.method().equals(HttpMethod.HEAD))
                .isNotEmpty()
                .allSatisfy(route -> {
                    JsonNode operation = api.at("/paths").path(route.pattern()).path(name(route.method()));
                    assertThat(operation.path("summary").stringValue(""))
                            .as("%s", route)
                            .isNotEmpty();
                    assertThat(operation.path("operationId").stringValue("")).isNotEmpty();
                    assertThat(operation.path("tags")).isNotEmpty();
                    assertThat(operation.path("responses").has("500")).isTrue();
                });
    }

    @Test
    void describesNothingElse() {
        List<String> patterns =
                routes.routes().stream().map(route -> route.pattern()).toList();

        assertThat(api.path("paths").propertyNames()).isNotEmpty().isSubsetOf(patterns);
    }

    @Test
    void givesEveryOperationAnIdOfItsOwn() {
        List<String> ids = api.path("paths")
                .valueStream()
                .flatMap(path -> path.valueStream())
                .map(operation -> operation.path("operationId").stringValue(""))
                .toList();

        assertThat(ids).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "400, VALIDATION_FAILED IDEMPOTENCY_KEY_REQUIRED",
        "404, SLOT_NOT_FOUND",
        "406, NOT_ACCEPTABLE",
        "409, SLOT_FULL ALREADY_BOOKED PATIENT_OVERLAP BOOKING_LIMIT SLOT_NOT_OPEN SLOT_PAST SLOT_CLOSED",
        "413, BODY_TOO_LARGE",
        "415, UNSUPPORTED_MEDIA_TYPE",
        "422, IDEMPOTENCY_KEY_REUSED",
        "429, RATE_LIMITED",
        "500, INTERNAL_ERROR",
        "503, BUSY UNAVAILABLE"
    })
    void showsAnExampleOfEveryRefusalOfABooking(String status, String codes) {
        JsonNode response =
                api.at("/paths").path("/api/appointments").at("/post/responses").path(status);
        JsonNode examples =
                response.path("content").path("application/problem+json").path("examples");

        assertThat(examples.propertyNames()).contains(codes.split(" "));
        assertThat(examples.valueStream())
                .allSatisfy(example ->
                        assertThat(example.at("/value/status").asString()).isEqualTo(status));
        assertThat(response.at("/headers").has("Retry-After")).isEqualTo(status.equals("429") || status.equals("503"));
    }

    @Test
    void showsWhatARefusalOfABookingCarries() {
        JsonNode conflicts = api.at("/paths")
                .path("/api/appointments")
                .at("/post/responses/409/content")
                .path("application/problem+json")
                .path("examples");

        assertThat(conflicts.at("/SLOT_FULL/value").has("remaining")).isTrue();
        assertThat(conflicts.at("/SLOT_NOT_OPEN/value").has("opensAt")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "GET,    /api/appointments,                  application/json, 405, METHOD_NOT_ALLOWED",
        "PUT,    /api/appointments/1,                application/json, 405, METHOD_NOT_ALLOWED",
        "POST,   /api/doctors/1/slots,               application/json, 405, METHOD_NOT_ALLOWED",
        "GET,    /api/nothing,                       application/json, 404, NOT_FOUND",
        "GET,    /nothing,                           text/html,        404, NOT_FOUND",
        "POST,   /nothing/at/all,                    */*,              404, NOT_FOUND",
        "GET,    /api/appointments/1/,               application/json, 404, NOT_FOUND",
        "GET,    /api/appointments/1,                text/html,        406, NOT_ACCEPTABLE",
        "GET,    /api/doctors/1/slots?date=2026-10-12, application/pdf, 406, NOT_ACCEPTABLE",
        "GET,    /api/doctors/x/slots?date=monday,   application/json, 400, VALIDATION_FAILED",
        "GET,    /api/doctors/999999999999/slots?date=2026-10-12, application/json, 404, DOCTOR_NOT_FOUND"
    })
    void answersEveryMistakeWithAProblem(String method, String path, String accept, int status, String code) {
        Answer answer = clinic.send(HttpMethod.valueOf(method), path, Map.of("Accept", accept), null);

        assertThat(answer.status().value()).as("%s", answer).isEqualTo(status);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.headers()).containsEntry("Content-Type", "application/problem+json");
        assertThat(answer.body()).containsKeys("type", "title", "status", "detail", "instance", "timestamp");
    }

    private static String name(HttpMethod method) {
        return method.name().toLowerCase(Locale.ROOT);
    }
}
