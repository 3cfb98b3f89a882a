package dev.daybreak.platform.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.json.JsonCompareMode;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.reactive.server.WebTestClient.ResponseSpec;

/** Case K4 and section 9: whatever goes wrong, the answer is a problem document. */
@DemoServiceTest
@ExtendWith(OutputCaptureExtension.class)
class ProblemAnswersTests {

    private final WebTestClient client;

    ProblemAnswersTests(WebTestClient client) {
        this.client = client;
    }

    @Test
    void aRefusalHasEveryMember() {
        client.get()
                .uri("/api/failures/full")
                .exchange()
                .expectHeader()
                .valueEquals("Content-Language", "en")
                .expectBody()
                .json("""
                {"type": "/problems/slot-full", "title": "This slot is full", "status": 409,
                 "detail": "All places in this slot are taken. Please choose another slot; if somebody cancels, the place \
                can be booked again at once.",
                 "instance": "/api/failures/full", "code": "SLOT_FULL", "timestamp": "2026-10-11T22:00:00.123Z",
                 "remaining": 0}
                """, JsonCompareMode.STRICT);
    }

    @ParameterizedTest
    @CsvSource({"ko-KR, ko, 예약이 모두 찼습니다", "ja, ja, この枠は満席です", "fr, en, This slot is full"})
    void speaksTheLanguageOfTheClient(String accepted, String spoken, String title) {
        client.get()
                .uri("/api/failures/full")
                .header("Accept-Language", accepted)
                .exchange()
                .expectHeader()
                .valueEquals("Content-Language", spoken)
                .expectBody()
                .jsonPath("$.title")
                .isEqualTo(title);
    }

    @ParameterizedTest
    @CsvSource({"limited, 429, RATE_LIMITED, 2", "limited-briefly, 429, RATE_LIMITED, 1"})
    void saysWhenToComeBackInWholeSeconds(String kind, int status, String code, String seconds) {
        var answer = problem(client.get().uri("/api/failures/" + kind).exchange(), status, code);
        assertThat(header(answer, "Retry-After")).isEqualTo(seconds);
    }

    @ParameterizedTest
    @CsvSource({"database-gone, UNAVAILABLE", "lock-timeout, BUSY", "busy, BUSY"})
    void aDatabaseInTroubleIsNoFaultOfTheClient(String kind, String code) {
        var answer = problem(client.get().uri("/api/failures/" + kind).exchange(), 503, code);
        assertThat(header(answer, "Retry-After")).isNotBlank();
    }

    @Test
    void keepsTheCauseOfAnInternalErrorInTheLog(CapturedOutput log) {
        var answer = problem(client.get().uri("/api/failures/internal").exchange(), 500, "INTERNAL_ERROR");
        assertThat(answer.getResponseBody()).doesNotContain("secret", "Exception", "trace");
        assertThat(log.getAll().split("a secret of the implementation", -1)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "DELETE", "PATCH"})
    void anUnknownPathIsNotFoundWhateverTheMethod(String method) {
        for (String path : new String[] {"/api/nothing", "/nothing", "/api/orders/1/2/3"}) {
            problem(client.method(HttpMethod.valueOf(method)).uri(path).exchange(), 404, "NOT_FOUND");
        }
    }

    @Test
    void aKnownPathSaysWhichMethodsItAllows() {
        var answer = problem(client.put().uri("/api/orders/7").exchange(), 405, "METHOD_NOT_ALLOWED");
        assertThat(header(answer, "Allow").split(",")).containsExactlyInAnyOrder("GET", "HEAD", "DELETE", "OPTIONS");
        problem(client.get().uri("/api/orders").exchange(), 405, "METHOD_NOT_ALLOWED");
    }

    @Test
    void answersOptionsAndHead() {
        client.options()
                .uri("/api/orders")
                .exchange()
                .expectStatus()
                .isNoContent()
                .expectHeader()
                .value("Allow", allow -> assertThat(allow).contains("POST"));
        client.head()
                .uri("/api/orders/7")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .isEmpty();
        client.options().uri("/api/nothing").exchange().expectStatus().isNotFound();
    }

    @Test
    void theFrameworksOwnEndpointsAnswerThatWayToo() {
        var answer = problem(client.post().uri("/v3/api-docs").exchange(), 405, "METHOD_NOT_ALLOWED");
        assertThat(header(answer, "Allow")).contains("GET");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/orders/7, application/xml, 406",
        "/api/orders/7, application/json;q=0, 406",
        "/api/orders/7, nonsense, 406",
        "/api/orders/7, application/problem+json, 200",
        "/api/orders/7, 'text/html, */*;q=0.1', 200",
        "/api/orders/7, application/*, 200",
        "/api/calendar, application/json, 406",
        "/api/calendar, text/calendar, 200"
    })
    void answersOnlyWhatTheClientAccepts(String path, String accept, int status) {
        var answer = client.get().uri(path).header("Accept", accept).exchange();
        answer.expectStatus().isEqualTo(status);
        if (status == 406) {
            problem(answer, 406, "NOT_ACCEPTABLE");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/xml", "application/x-www-form-urlencoded", "application/jsonx"})
    void readsNothingButJson(String type) {
        problem(
                client.post()
                        .uri("/api/orders")
                        .header("Content-Type", type)
                        .bodyValue("slotId=1")
                        .exchange(),
                415,
                "UNSUPPORTED_MEDIA_TYPE");
    }

    @Test
    void readsNoMoreThanSixteenKibibytes() {
        String body = "{\"note\": \"" + "x".repeat(17_000) + "\"}";
        problem(
                client.post()
                        .uri("/api/orders")
                        .contentType(MediaType.APPLICATION_JSON)
                        .bodyValue(body)
                        .exchange(),
                413,
                "BODY_TOO_LARGE");
    }

    private static EntityExchangeResult<String> problem(ResponseSpec answer, int status, String code) {
        answer.expectStatus().isEqualTo(status);
        answer.expectHeader().contentType(MediaType.APPLICATION_PROBLEM_JSON);
        return answer.expectBody(String.class)
                .value(body -> assertThat(body).contains("\"code\":\"" + code + "\"", "\"status\":" + status))
                .returnResult();
    }

    private static String header(EntityExchangeResult<String> answer, String name) {
        return answer.getResponseHeaders().getFirst(name);
    }
}
