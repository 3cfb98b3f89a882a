package dev.daybreak.platform.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.reactive.server.WebTestClient.ResponseSpec;

/** Cases K1 and E16: what is wrong with a request is said field by field, all at once. */
@DemoServiceTest
class InputTests {

    private static final String PLAN = """
            {"from": "2026-10-12", "start": "09:00", "end": "24:00", "capacity": 3, "weekdays": ["MONDAY", "FRIDAY"],
             "at": "2026-10-12T09:30:00+09:00"}""";

    private final WebTestClient client;

    InputTests(WebTestClient client) {
        this.client = client;
    }

    @Test
    void readsWhatIsRight() {
        post("/api/plans", PLAN).expectStatus().isOk().expectBody().json("""
                {"from": "2026-10-12", "start": 540, "end": 1440, "capacity": 3, "weekdays": ["MONDAY", "FRIDAY"],
                 "mode": "FIXED", "dryRun": false, "at": "2026-10-12T00:30:00Z", "breaks": []}""");
    }

    @Test
    void namesEverythingThatIsWrongAtOnce() {
        assertThat(violations(post("/api/orders", """
                {"slotId": "1001", "note": "far too long a note for this", "slot": 1}""")))
                .containsExactlyInAnyOrder(
                        "slotId type.integer", "patientId required", "note too-long", "slot unknown");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    '{"slotId": 1.0, "patientId": 1}'                  | slotId type.integer
                    '{"slotId": 1e3, "patientId": 1}'                  | slotId type.integer
                    '{"slotId": true, "patientId": 1}'                 | slotId type.integer
                    '{"slotId": 99999999999999999999, "patientId": 1}' | slotId type.integer
                    '{"slotId": 0, "patientId": 1}'                    | slotId positive
                    '{"slotId": -1, "patientId": 1}'                   | slotId positive
                    '{"slotId": null, "patientId": 1}'                 | slotId required
                    '{"slotId": [1], "patientId": 1}'                  | slotId type.integer
                    '{"slotId": 1, "patientId": 1, "note": "  "}'      | note required
                    '{"slotId": 1, "patientId": 1, "note": 5}'         | note type.text
                    '{"slotId": 1, "patientId": 1, "note": "a\\u0000"}' | note characters
                    '{"slotId": 1, "patientId": 1, "note": "\\ud800"}' | note characters
                    '{"slotId": 1, "slotId": 2, "patientId": 1}'       | body json
                    '{"slotId": 1'                                     | body json
                    '{"slotId": 1, "patientId": 1} x'                  | body json
                    'slotId'                                           | body json
                    '[1]'                                              | body type.object
                    'null'                                             | body type.object
                    '7'                                                | body type.object
                    ' '                                                | body required
                    """)
    void refusesABodyThatIsWrong(String body, String violation) {
        assertThat(violations(post("/api/orders", body))).containsExactly(violation);
    }

    @Test
    void aMissingBodyIsRequiredWithAndWithoutAMediaType() {
        assertThat(violations(client.post().uri("/api/orders").exchange())).containsExactly("body required");
        assertThat(violations(client.post()
                        .uri("/api/orders")
                        .contentType(MediaType.APPLICATION_JSON)
                        .exchange()))
                .containsExactly("body required");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    from     | "2026-02-30"            | from date
                    from     | "12.10.2026"            | from date
                    from     | "+99999-01-01"          | from date
                    start    | "9:00"                  | start time
                    start    | "24:01"                 | start time
                    end      | "08:00"                 | end after
                    capacity | 0                       | capacity range
                    capacity | 1000000000              | capacity range
                    capacity | 99999999999999999999999 | capacity range
                    weekdays | []                      | weekdays weekdays
                    weekdays | ["MONDAY", "MOONDAY"]   | weekdays weekdays
                    weekdays | "MONDAY"                | weekdays weekdays
                    at       | "2026-10-12T09:30:00"   | at offset-required
                    at       | "2026-10-12T09:30"      | at offset-required
                    at       | "tomorrow"              | at instant
                    at       | "2026-10-12"            | at instant
                    mode     | "fixed"                 | mode choice
                    dryRun   | "true"                  | dryRun type.boolean
                    zone     | "Asia/Atlantis"         | zone zone
                    breaks   | {}                      | breaks type.array
                    breaks   | [7]                     | breaks[0] type.object
                    breaks   | [{}, {}, {}]            | breaks too-many
                    breaks   | [{"start": "12:00", "end": "13"}]               | breaks[0].end time
                    breaks   | [{"start": "12:00", "end": "13:00", "why": 1}]  | breaks[0].why unknown
                    """)
    void refusesAFieldThatIsWrong(String field, String value, String violation) {
        String body = PLAN.contains("\"" + field + "\"")
                ? PLAN.replaceAll("\"" + field + "\": (\"[^\"]*\"|\\[[^]]*]|\\d+)", "\"" + field + "\": " + value)
                : PLAN.replace("}", ", \"" + field + "\": " + value + "}");
        assertThat(violations(post("/api/plans", body))).containsExactly(violation);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /api/orders/abc                                 | id type.integer
                    /api/orders/0                                   | id positive
                    /api/orders/99999999999999999999                | id type.integer
                    /api/orders/1?date=                             | date required
                    /api/orders/1?date                              | date required
                    /api/orders/1?date=2026-13-01                   | date date
                    /api/orders/1?date=2026-10-12&date=2026-10-13   | date repeated
                    /api/orders/1?day=2026-10-12                    | day unknown
                    /api/orders/1?at=2026-10-12T09:30:00            | at offset-required
                    """)
    void refusesAUrlThatIsWrong(String url, String violation) {
        assertThat(violations(client.get().uri(url).exchange())).containsExactly(violation);
    }

    @Test
    void forgivesAPlusThatWasNotEscaped() {
        client.get()
                .uri("/api/orders/1?at=2026-10-12T09:30:00+09:00")
                .exchange()
                .expectBody()
                .jsonPath("$[2]")
                .isEqualTo("2026-10-12T00:30:00Z");
    }

    @Test
    void explainsAViolationInTheLanguageOfTheClient() {
        client.get()
                .uri("/api/orders/1?at=2026-10-12T09:30:00")
                .header("Accept-Language", "ja")
                .exchange()
                .expectBody()
                .jsonPath("$.violations[0].message")
                .value(String.class, message -> assertThat(message).contains("UTC との時差"));
    }

    private ResponseSpec post(String path, String body) {
        return client.post()
                .uri(path)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body)
                .exchange();
    }

    @SuppressWarnings("unchecked")
    private static List<String> violations(ResponseSpec answer) {
        var problem = answer.expectStatus()
                .isBadRequest()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody(new ParameterizedTypeReference<Map<String, Object>>() {})
                .returnResult()
                .getResponseBody();
        assertThat(problem).containsEntry("code", "VALIDATION_FAILED");
        return ((List<Map<String, String>>) problem.get("violations"))
                .stream()
                        .map(violation -> violation.get("field") + " " + violation.get("rule"))
                        .toList();
    }
}
