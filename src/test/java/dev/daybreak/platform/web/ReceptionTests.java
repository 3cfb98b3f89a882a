package dev.daybreak.platform.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.web.reactive.server.WebTestClient;

@DemoServiceTest
@ExtendWith(OutputCaptureExtension.class)
class ReceptionTests {

    private final WebTestClient client;

    ReceptionTests(WebTestClient client) {
        this.client = client;
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b7f2c0de", "2f1c8e0a-4f5b-4b0e-9d59-1c1d7b6c9c55", "edge.7:part_2"})
    void keepsASaneIdThatARequestCameWith(String id) {
        assertThat(idOf("/api/calendar", id)).containsExactly(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "<script>", "ünïcode", "a=b", "x\ty"})
    void givesARequestWithAnOddIdANewOne(String id) {
        assertThat(idOf("/api/calendar", id)).hasSize(1).allMatch(given -> given.matches("[0-9a-f]{16}"));
    }

    @Test
    void takesNoLongId() {
        assertThat(idOf("/api/calendar", "x".repeat(64))).containsExactly("x".repeat(64));
        assertThat(idOf("/api/calendar", "x".repeat(65))).allMatch(given -> given.matches("[0-9a-f]{16}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/api/calendar", "/api/failures/full", "/api/failures/internal", "/api/nothing", "/nothing"})
    void givesEveryAnswerAnIdOfItsOwn(String path) {
        String first = idOf(path, null).getFirst();
        assertThat(idOf(path, null)).hasSize(1).doesNotContain(first);
    }

    @Test
    void namesTheRequestInTheLogButNotWhatStoodInItsPath(CapturedOutput log) {
        idOf("/api/failures/patient-4711?name=Jane", "look-me-up");

        assertThat(log.getAll())
                .contains("[look-me-up] GET /api/failures/{kind} failed")
                .doesNotContain("4711", "Jane");
    }

    private List<String> idOf(String path, String sent) {
        return client.get()
                .uri(path)
                .headers(headers -> {
                    if (sent != null) {
                        headers.add("X-Request-Id", sent);
                    }
                })
                .exchange()
                .returnResult(String.class)
                .getResponseHeaders()
                .get("X-Request-Id");
    }
}
