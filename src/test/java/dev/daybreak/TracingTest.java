package dev.daybreak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;

@DaybreakTest
class TracingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** {@code 00f067aa0ba902b7} as bytes. */
    private static final String CALLERS_SPAN =
            new String(HexFormat.of().parseHex("00f067aa0ba902b7"), StandardCharsets.ISO_8859_1);

    @Autowired
    ApplicationContext here;

    @Test
    void isNotThereUnlessItIsAskedFor() {
        try (ConfigurableApplicationContext there = TestServers.anotherInstance(here)) {
            assertThat(there.getBeanDefinitionNames())
                    .noneMatch(name ->
                            name.toLowerCase(Locale.ROOT).contains("opentelemetry") || name.equals("micrometerTracer"));
        }
    }

    @Test
    void sendsASpanForARequestToTheCollector() throws Exception {
        List<String> received = new CopyOnWriteArrayList<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/traces", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
        try (ConfigurableApplicationContext there = TestServers.anotherInstance(
                here,
                "spring.profiles.active=tracing",
                "management.tracing.sampling.probability=1",
                "management.opentelemetry.tracing.export.schedule-delay=100ms",
                "management.opentelemetry.tracing.export.otlp.endpoint=http://127.0.0.1:"
                        + collector.getAddress().getPort() + "/v1/traces")) {
            long patient = Clinic.newPatient();
            Clinic.at(there)
                    .send(
                            HttpMethod.GET,
                            "/api/patients/" + patient + "/appointments",
                            Map.of("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
                            null);

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(received)
                            .anyMatch(spans ->
                                    spans.contains("/api/patients/{id}/appointments") && spans.contains(CALLERS_SPAN)));
        } finally {
            collector.stop(0);
        }
    }
}
