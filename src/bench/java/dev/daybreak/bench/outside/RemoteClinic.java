package dev.daybreak.bench.outside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a measurement asks of the service before and after it. */
final class RemoteClinic implements AutoCloseable {

    private static final int SLOT_MINUTES = 10;
    private static final LocalTime FIRST = LocalTime.of(6, 0);
    // Open for booking, in whatever zone the clinic is.
    private static final int DAYS_AHEAD = 3;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final JsonMapper json = JsonMapper.shared();
    private final URI url;
    // Fresh in every run, and below 2^53.
    private long lastPatient = (System.currentTimeMillis() / 1000 & 0x3fff_ffff) << 22;

    RemoteClinic(URI url) {
        this.url = url;
    }

    record Day(URI url, long doctorId, LocalDate date, List<Long> slotIds) {

        String path() {
            return "/api/doctors/" + doctorId + "/slots?date=" + date;
        }

        byte[] list() {
            return ("GET " + path() + " HTTP/1.1\r\nHost: " + url.getAuthority() + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
        }

        /** The request for the live feed. */
        byte[] watch() {
            return ("GET " + path() + " HTTP/1.1\r\nHost: " + url.getAuthority()
                            + "\r\nAccept: text/event-stream\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** Adds a doctor with a day of empty slots, at most 100. */
    Day publish(String name, int slots, int capacity) {
        LocalDate date = LocalDate.now(ZoneOffset.UTC).plusDays(DAYS_AHEAD);
        long doctor =
                create("/api/admin/doctors", """
                        {"name": "%s", "specialty": "load test"}""".formatted(name)).get("id").asLong();
        create("/api/admin/doctors/" + doctor + "/schedules", """
                {"fromDate": "%1$s", "toDate": "%1$s", "weekdays": ["%2$s"], "startTime": "%3$s", "endTime": "%4$s",
                 "slotMinutes": %5$d, "capacity": %6$d}""".formatted(
                        date,
                        date.getDayOfWeek(),
                        FIRST,
                        FIRST.plusMinutes((long) slots * SLOT_MINUTES),
                        SLOT_MINUTES,
                        capacity));
        var day = new Day(url, doctor, date, List.of());
        List<Long> ids = List.copyOf(slots(day).keySet());
        assertThat(ids).as("published slots").hasSize(slots);
        return new Day(url, doctor, date, ids);
    }

    /** Each slot as the list has it, the full ones included. */
    TreeMap<Long, String> slots(Day day) {
        return Watcher.slots(get(day.path() + "&include=all"));
    }

    /** A booking by a patient of its own, with a key of its own. */
    byte[] booking(long slotId) {
        long patient = ++lastPatient;
        String body = "{\"slotId\":" + slotId + ",\"patientId\":" + patient + "}";
        return ("POST /api/appointments HTTP/1.1\r\nHost: " + url.getAuthority()
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                        + "\r\nIdempotency-Key: bench-" + patient + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** What the invariants' audit says. */
    JsonNode audit() {
        return json.readTree(get("/api/admin/invariants"));
    }

    long gauge(String name) {
        return json.readTree(get("/actuator/metrics/" + name))
                .get("measurements")
                .get(0)
                .get("value")
                .asLong();
    }

    private JsonNode create(String path, String body) {
        return json.readTree(send(HttpRequest.newBuilder(url.resolve(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))));
    }

    private String get(String path) {
        return send(HttpRequest.newBuilder(url.resolve(path)));
    }

    private String send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
            assertThat(answer.statusCode())
                    .as(answer.uri() + " was answered " + answer.body())
                    .isBetween(200, 299);
            return answer.body();
        } catch (IOException e) {
            throw new AssertionError("no answer from " + url, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
