package dev.daybreak.platform.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.platform.DemoService;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Clients that are slow, idle, greedy or too many: they are closed or refused, and everybody else is served. */
@SpringBootTest(
        classes = DemoService.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "server.address=127.0.0.1",
            "management.endpoint.health.validate-group-membership=false",
            "spring.flyway.enabled=false",
            "daybreak.web.max-connections=" + ConnectionLimitsTests.MOST,
            "daybreak.web.max-headers=50",
            "daybreak.web.request-timeout=1s",
            "daybreak.web.idle-timeout=3s",
            "daybreak.web.stall-timeout=1s"
        })
class ConnectionLimitsTests {

    static final int MOST = 200;

    private static final String ASK = "GET /api/orders/7 HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String UNANSWERED = "GET /api/failures/to-answer HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String POST = "POST /api/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

    @LocalServerPort
    private int port;

    @Autowired
    private Connections connections;

    @Autowired
    private MeterRegistry meters;

    private final List<Wire> opened = new ArrayList<>();

    @AfterEach
    void hangUp() throws IOException {
        for (Wire wire : opened) {
            wire.close();
        }
        await().atMost(Duration.ofSeconds(5)).until(() -> open() == 0);
    }

    @Test
    void tellsAClientWhoseHeadersDripInThatItIsTooSlow() throws IOException, InterruptedException {
        Wire slow = dial().send("GET /api/orders/7 HTTP/1.1\r\nHost: x\r\nAccept-Language: ko\r\n");
        long begun = System.nanoTime();
        for (int i = 0; i < 6; i++) {
            Thread.sleep(250);
            try {
                slow.send("X-" + i + ": 1\r\n");
            } catch (IOException e) {
                break;
            }
        }

        assertThat(slow.rest()).startsWith("HTTP/1.1 408").contains("application/problem+json", "REQUEST_TIMEOUT");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
        assertAnswers();
    }

    @Test
    void closesOnAClientWhoseBodyDripsIn() throws IOException {
        Wire slow = dial().send(POST + "Content-Length: 100\r\n\r\n{\"slotId\"");

        assertThat(slow.rest()).startsWith("HTTP/1.1 408").contains("\"instance\":\"/api/orders\"");
        assertAnswers();
    }

    @Test
    void closesAConnectionThatWaitsTooLongForARequest() throws IOException {
        Wire silent = dial();
        Wire served = dial().send(ASK);
        assertThat(served.some()).startsWith("HTTP/1.1 200");

        assertThat(silent.rest()).isEmpty();
        assertThat(served.rest()).isEmpty();
    }

    @Test
    void servesManyRequestsOfOneConnectionHoweverLongTheyTakeTogether() throws IOException, InterruptedException {
        Wire wire = dial();
        for (int i = 0; i < 5; i++) {
            assertThat(wire.send(ASK).some()).startsWith("HTTP/1.1 200");
            Thread.sleep(800);
        }
    }

    @Test
    void refusesARequestWithAThousandHeaders() throws IOException {
        String few = "A: b\r\n".repeat(51);
        assertThat(dial().send("GET /api/orders/7 HTTP/1.1\r\nHost: x\r\n" + few + "\r\n")
                        .rest())
                .startsWith("HTTP/1.1 431")
                .contains("HEADERS_TOO_LARGE");

        String thousand = "X-Header: some value\r\n".repeat(1000);
        assertThat(dial().send("GET /api/orders/7 HTTP/1.1\r\nHost: x\r\n" + thousand + "\r\n")
                        .rest())
                .startsWith("HTTP/1.1 431")
                .contains("HEADERS_TOO_LARGE");
        assertAnswers();
    }

    @Test
    void explainsWhatTheServerItselfRefuses() throws IOException {
        assertThat(dial().send("GET /" + "x".repeat(9_000) + " HTTP/1.1\r\nHost: x\r\n\r\n")
                        .rest())
                .startsWith("HTTP/1.1 414")
                .contains("ADDRESS_TOO_LONG", "application/problem+json");
        assertThat(dial().send(
                                "GET /api/orders/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Language: ja\r\n\r\n")
                        .rest())
                .startsWith("HTTP/1.1 400")
                .contains("VALIDATION_FAILED", "\"instance\":\"/api/orders/%zz\"");
    }

    @Test
    void cutsOffWhoSendsAHundredMegabytes() throws IOException {
        String announced = POST + "Content-Length: 104857600\r\n\r\n";
        String chunked = POST + "Transfer-Encoding: chunked\r\n\r\n";
        Wire first = dial().send(announced);
        long sent = first.pour(" ".repeat(65_536), 100L << 20);
        Wire second = dial().send(chunked);
        long sentInChunks = second.pour("10000\r\n" + " ".repeat(65_536) + "\r\n", 100L << 20);

        // What the sockets' buffers take counts as sent.
        assertThat(sent).isLessThan(32L << 20);
        assertThat(sentInChunks).isLessThan(32L << 20);
        assertThat(first.rest())
                .satisfiesAnyOf(
                        said -> assertThat(said).isEmpty(),
                        said -> assertThat(said).startsWith("HTTP/1.1 413"));
        assertAnswers();
    }

    @Test
    void tellsWhoSendsALittleTooMuchAndKeepsTheConnection() throws IOException {
        Wire wire = dial().send(POST + "Content-Length: 100000\r\n\r\n" + " ".repeat(100_000));

        assertThat(wire.some()).startsWith("HTTP/1.1 413").contains("BODY_TOO_LARGE");
        assertThat(wire.send(ASK).some()).startsWith("HTTP/1.1 200");
    }

    @Test
    void refusesOneConnectionTooManyAndServesThoseItHas() throws IOException {
        Wire served = dial();
        while (opened.size() < MOST) {
            dial();
        }
        await().until(() -> open() == MOST);

        assertThat(dial().rest()).startsWith("HTTP/1.1 503").contains("BUSY").containsIgnoringCase("retry-after: 1");
        assertThat(served.send(ASK).some()).startsWith("HTTP/1.1 200");
    }

    @Test
    void closesIdleConnectionsSoonerWhenTheyRunShort() throws IOException {
        Wire idle = dial();
        while (opened.size() < MOST) {
            dial();
        }
        long begun = System.nanoTime();

        assertThat(idle.rest()).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(2_900));
        await().atMost(Duration.ofSeconds(5)).until(() -> open() < MOST / 2);
        assertAnswers();
    }

    @Test
    void doesNotLetRequestsPileUpUnanswered() throws IOException {
        Wire greedy = dial();
        greedy.send(UNANSWERED + ASK.repeat(40));

        assertThat(greedy.rest()).isEmpty();
        assertAnswers();
    }

    @Test
    void leavesAConnectionAloneThatAwaitsItsAnswer() throws IOException, InterruptedException {
        Wire patient = dial().send(UNANSWERED);
        Thread.sleep(4_000);

        assertThat(patient.isOpen()).isTrue();
    }

    @Test
    void countsConnectionsAndWhyTheyWereClosed() throws IOException {
        double before = closed("SLOW");
        dial().send("GET /").rest();

        assertThat(closed("SLOW")).isEqualTo(before + 1);
    }

    private void assertAnswers() throws IOException {
        try (Wire other = new Wire(port)) {
            assertThat(other.send(ASK).some()).startsWith("HTTP/1.1 200");
        }
    }

    private double closed(String reason) {
        return meters.get("daybreak.web.closed").tag("reason", reason).counter().count();
    }

    private double open() {
        return meters.get("daybreak.web.connections").gauge().value();
    }

    private Wire dial() throws IOException {
        Wire wire = new Wire(port);
        opened.add(wire);
        return wire;
    }
}
