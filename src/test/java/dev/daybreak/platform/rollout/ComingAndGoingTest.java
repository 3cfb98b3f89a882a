package dev.daybreak.platform.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

@DaybreakTest
class ComingAndGoingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Autowired
    ApplicationContext here;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void anInstanceThatStopsSaysSoFirstAndGoesOnServing() throws Exception {
        Clinic clinic = new Clinic(here);
        long slot = clinic.slot(5);
        ConfigurableApplicationContext there = TestServers.anotherInstance(here, "daybreak.rollout.drain=2s");
        URI url = url(there);
        assertThat(get(url, "/readyz").statusCode()).isEqualTo(200);
        assertThat(get(url, "/readyz").headers().firstValue("Connection")).isEmpty();
        HttpResponse<Stream<String>> watched = watch(url, clinic, slot);

        long begun = System.nanoTime();
        var stopping = CompletableFuture.runAsync(there::close);
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(
                        () -> assertThat(get(url, "/readyz").statusCode()).isEqualTo(503));

        assertThat(get(url, "/livez").statusCode()).isEqualTo(200);
        HttpResponse<String> served = get(url, "/api/doctors");
        assertThat(served.statusCode()).isEqualTo(200);
        assertThat(served.headers().firstValue("Connection"))
                .as("word to use another connection")
                .contains("close");
        assertThat(Clinic.at(there)
                        .book(slot, Clinic.newPatient(), Clinic.newKey())
                        .status()
                        .value())
                .isEqualTo(201);
        stopping.join();
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(20));
        List<String> retries =
                watched.body().filter(line -> line.startsWith("retry:")).toList();
        assertThat(retries)
                .as("when the watcher came, and when it was sent away")
                .hasSize(2);
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void anInstanceWarmsUpBeforeItIsReadyAndLeavesNothingBehind() {
        Clinic clinic = new Clinic(here);
        long appointments = clinic.number("SELECT count(*) FROM appointment");
        long events = clinic.number("SELECT count(*) FROM outbox_event");

        try (ConfigurableApplicationContext there = TestServers.anotherInstance(here, "daybreak.rollout.warm-up=2s")) {
            MeterRegistry meters = there.getBean(MeterRegistry.class);
            assertThat(meters.get("daybreak.batch.size")
                            .tag("work", "bookings")
                            .summary()
                            .totalAmount())
                    .as("bookings tried")
                    .isGreaterThan(100);
            assertThat(meters.get("http.server.requests")
                            .tag("uri", "/api/doctors/{id}/slots")
                            .timers())
                    .isNotEmpty();
            assertThat(meters.get("daybreak.problems")
                            .tag("code", "INTERNAL_ERROR")
                            .counter()
                            .count())
                    .isZero();
        }

        assertThat(clinic.number("SELECT count(*) FROM appointment")).isEqualTo(appointments);
        assertThat(clinic.number("SELECT count(*) FROM outbox_event")).isEqualTo(events);
    }

    private HttpResponse<Stream<String>> watch(URI url, Clinic clinic, long slot) throws Exception {
        long doctor = clinic.number("SELECT doctor_id FROM time_slot WHERE id = " + slot);
        var request = HttpRequest.newBuilder(url.resolve("/api/doctors/" + doctor + "/slots?date=2030-01-07"))
                .header("Accept", "text/event-stream")
                .build();
        HttpResponse<Stream<String>> stream = http.send(request, BodyHandlers.ofLines());
        assertThat(stream.statusCode()).isEqualTo(200);
        return stream;
    }

    private HttpResponse<String> get(URI url, String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(url.resolve(path)).timeout(PATIENCE).build(), BodyHandlers.ofString());
    }

    private static URI url(ApplicationContext instance) {
        return URI.create("http://127.0.0.1:" + instance.getEnvironment().getRequiredProperty("local.server.port"));
    }
}
