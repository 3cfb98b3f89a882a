package dev.daybreak.availability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.MutableClock;
import dev.daybreak.TestServers;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.SlotsPublished;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClient;
import tools.jackson.databind.json.JsonMapper;

@DaybreakTest
class SlotListTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final LocalDate DAY = LocalDate.of(2026, 10, 12);
    private static final Instant MORNING = Instant.parse("2026-10-12T07:00:00Z");

    @Autowired
    ApplicationContext instance;

    @Autowired
    MutableClock clock;

    @Autowired
    ClinicSettings settings;

    Clinic clinic;
    WebClient http;
    long doctor;

    @BeforeEach
    void openTheClinic() {
        clock.set(Instant.parse("2026-10-01T08:00:00Z"));
        clinic = new Clinic(instance);
        doctor = clinic.doctor();
        http = client(instance);
    }

    @AfterEach
    void letTimePass() {
        clock.reset();
    }

    @Test
    void listsWhatCanBeBookedInOrderOfStart() {
        long late = slot(MORNING.plus(2, ChronoUnit.HOURS), 2);
        long early = slot(MORNING, 3);
        long next = slot(MORNING.plus(1, ChronoUnit.HOURS), 1);
        long ofAnotherDay = slot(MORNING.plus(1, ChronoUnit.DAYS), 1);

        List<Map<String, Object>> listed = list("");

        assertThat(listed)
                .extracting(SlotListTest::id)
                .containsExactly(early, next, late)
                .doesNotContain(ofAnotherDay);
        assertThat(listed.getFirst())
                .containsOnlyKeys(
                        "id", "doctorId", "startAt", "endAt", "capacity", "remaining", "opensAt", "state", "version")
                .containsEntry("doctorId", (int) doctor)
                .containsEntry("startAt", "2026-10-12T07:00:00Z")
                .containsEntry("endAt", "2026-10-12T07:15:00Z")
                .containsEntry("capacity", 3)
                .containsEntry("remaining", 3)
                .containsEntry("state", "OPEN");
    }

    @Test
    void showsFullClosedAndPastSlotsOnlyWhenAskedForAll() {
        slot(MORNING, 1);
        long full = slot(MORNING.plus(1, ChronoUnit.HOURS), 1);
        long closed = slot(MORNING.plus(2, ChronoUnit.HOURS), 1);
        long notOpen = clinic.slot(
                doctor,
                MORNING.plus(3, ChronoUnit.HOURS),
                Duration.ofMinutes(15),
                1,
                MORNING.plus(2, ChronoUnit.HOURS));
        long open = slot(MORNING.plus(4, ChronoUnit.HOURS), 1);
        clinic.execute("UPDATE time_slot SET booked_count = 1 WHERE id = " + full);
        clinic.execute("UPDATE time_slot SET closed = true WHERE id = " + closed);
        clock.set(MORNING.plus(30, ChronoUnit.MINUTES));

        assertThat(list("")).extracting(SlotListTest::id).containsExactly(notOpen, open);
        assertThat(list("")).extracting(slot -> slot.get("state")).containsExactly("NOT_OPEN_YET", "OPEN");
        assertThat(list("&include=all"))
                .extracting(slot -> slot.get("state"))
                .containsExactly("PAST", "FULL", "CLOSED", "NOT_OPEN_YET", "OPEN");
        clinic.execute("UPDATE time_slot SET booked_count = 0 WHERE id = " + full);
    }

    @Test
    void anEmptyDayIsAnEmptyListAndAnUnknownDoctorIsNotFound() {
        assertThat(list("")).isEmpty();
        assertThat(get("", MediaType.APPLICATION_NDJSON, headers -> {}).getBody())
                .isNull();
        assertThat(clinic.get("/api/doctors/999999999/slots?date=" + DAY).code())
                .isEqualTo("DOCTOR_NOT_FOUND");
    }

    @Test
    void refusesWhatItCannotReadEvenIfTheRestIsKnown() {
        list("");
        assertThat(clinic.get("/api/doctors/x/slots?date=" + DAY).status().value())
                .isEqualTo(400);
        assertThat(clinic.get("/api/doctors/0/slots?date=" + DAY).status().value())
                .isEqualTo(400);
        assertThat(clinic.get("/api/doctors/99999999999999999999/slots?date=" + DAY)
                        .status()
                        .value())
                .isEqualTo(400);
        for (String query : List.of(
                "",
                "?date=tomorrow",
                "?date=" + DAY + "&zone=Mars",
                "?date=" + DAY + "&include=some",
                "?date=" + DAY + "&x=1")) {
            assertThat(clinic.get("/api/doctors/" + doctor + "/slots" + query).code())
                    .as(query)
                    .isEqualTo("VALIDATION_FAILED");
        }
    }

    @Test
    void aDayInAnotherZoneIsThatZonesDay() {
        slot(Instant.parse("2026-05-03T14:59:00Z"), 1);
        long first = slot(Instant.parse("2026-05-03T15:00:00Z"), 1);
        long last = slot(Instant.parse("2026-05-04T14:59:00Z"), 1);
        slot(Instant.parse("2026-05-04T15:00:00Z"), 1);
        clock.set(Instant.parse("2026-05-01T08:00:00Z"));

        ResponseEntity<String> answer = http.get()
                .uri("/api/doctors/" + doctor + "/slots?date=2026-05-04&zone=Asia/Tokyo")
                .retrieve()
                .toEntity(String.class)
                .block(PATIENCE);

        assertThat(read(answer.getBody())).extracting(SlotListTest::id).containsExactly(first, last);
        assertThat(answer.getHeaders().getETag()).isNotNull();
    }

    @Test
    void writesOneSlotALineForThoseWhoAskForLines() {
        long one = slot(MORNING, 1);
        long two = slot(MORNING.plus(1, ChronoUnit.HOURS), 1);

        ResponseEntity<String> answer = get("", MediaType.APPLICATION_NDJSON, headers -> {});

        assertThat(answer.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_NDJSON);
        assertThat(answer.getBody()).endsWith("}\n");
        assertThat(answer.getBody()
                        .lines()
                        .map(line -> ((Number) JsonMapper.shared()
                                        .readValue(line, Map.class)
                                        .get("id"))
                                .longValue()))
                .containsExactly(one, two);
    }

    @Test
    void answers304ToWhoHasTheseBytes() {
        long slot = slot(MORNING, 2);
        ResponseEntity<String> first = get("", MediaType.APPLICATION_JSON, headers -> {});
        String etag = first.getHeaders().getETag();
        assertThat(etag).matches("\"[\\w-]{16}\"");
        assertThat(first.getHeaders().getCacheControl()).isEqualTo("no-cache");
        assertThat(first.getHeaders().getVary()).containsExactly("Accept");
        assertThat(Long.parseLong(first.getHeaders().getFirst("Age"))).isBetween(0L, 5L);

        for (String tags : List.of(etag, "W/" + etag, "\"other\", " + etag + ", W/\"more\"", "*")) {
            ResponseEntity<String> again =
                    get("", MediaType.APPLICATION_JSON, headers -> headers.set("If-None-Match", tags));
            assertThat(again.getStatusCode().value()).as(tags).isEqualTo(304);
            assertThat(again.getHeaders().getETag()).isEqualTo(etag);
            assertThat(again.getBody()).isNull();
        }
        assertThat(get("", MediaType.APPLICATION_JSON, headers -> headers.set("If-None-Match", "\"other\""))
                        .getStatusCode()
                        .value())
                .isEqualTo(200);
        assertThat(get("", MediaType.APPLICATION_NDJSON, headers -> headers.set("If-None-Match", etag))
                        .getStatusCode()
                        .value())
                .isEqualTo(200);

        clinic.book(slot, Clinic.newPatient(), Clinic.newKey());
        ResponseEntity<String> changed =
                get("", MediaType.APPLICATION_JSON, headers -> headers.set("If-None-Match", etag));
        assertThat(changed.getStatusCode().value()).isEqualTo(200);
        assertThat(changed.getHeaders().getETag()).isNotEqualTo(etag);
    }

    @Test
    void headTellsTheLengthWithoutTheBody() {
        slot(MORNING, 1);
        long length =
                get("", MediaType.APPLICATION_JSON, headers -> {}).getHeaders().getContentLength();

        HttpHeaders head = http.method(HttpMethod.HEAD)
                .uri(path(""))
                .retrieve()
                .toBodilessEntity()
                .block(PATIENCE)
                .getHeaders();

        assertThat(head.getContentLength()).isEqualTo(length).isPositive();
    }

    @Test
    void aBookingAndACancellationShowInTheVeryNextList() {
        long slot = slot(MORNING, 2);
        for (int i = 0; i < 20; i++) {
            assertThat(remaining(list("&include=all"), slot)).isEqualTo(2);
            long appointment =
                    clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).id();
            assertThat(remaining(list("&include=all"), slot)).isEqualTo(1);
            clinic.cancel(appointment);
        }
    }

    @Test
    void aChangeAtAnotherInstanceShowsWithinASecond() {
        long slot = slot(MORNING, 2);
        try (ConfigurableApplicationContext other = TestServers.anotherInstance(instance)) {
            // The other instance goes by the machine's time: the slot is of a past day there, and cannot be booked.
            clinic.execute(
                    "UPDATE time_slot SET start_at = now() + interval '2 days', end_at = now() + interval '3 days' WHERE id = "
                            + slot);
            clock.reset();
            String day = settings.dayOf(Instant.now().plus(2, ChronoUnit.DAYS)).toString();
            assertThat(remaining(
                            read(client(other)
                                    .get()
                                    .uri("/api/doctors/" + doctor + "/slots?date=" + day)
                                    .retrieve()
                                    .bodyToMono(String.class)
                                    .block(PATIENCE)),
                            slot))
                    .isEqualTo(2);

            clinic.book(slot, Clinic.newPatient(), Clinic.newKey());

            Awaitility.await()
                    .atMost(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(remaining(
                                    read(client(other)
                                            .get()
                                            .uri("/api/doctors/" + doctor + "/slots?date=" + day)
                                            .retrieve()
                                            .bodyToMono(String.class)
                                            .block(PATIENCE)),
                                    slot))
                            .isEqualTo(1));
        }
    }

    @Test
    void newSlotsShowAtOnce() {
        assertThat(list("")).isEmpty();
        long slot = slot(MORNING, 1);
        instance.publishEvent(new SlotsPublished(doctor, MORNING, MORNING.plus(15, ChronoUnit.MINUTES)));
        assertThat(list("")).extracting(SlotListTest::id).containsExactly(slot);
    }

    @Test
    void theOpeningFlipsTheListAtThatInstant() {
        Instant opening = Instant.parse("2026-10-02T05:00:00Z");
        clinic.slot(doctor, MORNING, Duration.ofMinutes(15), 1, opening);
        clock.set(opening.minusMillis(1));
        assertThat(list("")).extracting(slot -> slot.get("state")).containsExactly("NOT_OPEN_YET");
        clock.set(opening);
        assertThat(list("")).extracting(slot -> slot.get("state")).containsExactly("OPEN");
        clock.set(MORNING);
        assertThat(list("&include=all")).extracting(slot -> slot.get("state")).containsExactly("PAST");
    }

    private long slot(Instant start, int capacity) {
        return clinic.slot(doctor, start, capacity);
    }

    private String path(String more) {
        return "/api/doctors/" + doctor + "/slots?date=" + DAY + more;
    }

    private List<Map<String, Object>> list(String more) {
        return read(get(more, MediaType.APPLICATION_JSON, headers -> {}).getBody());
    }

    private ResponseEntity<String> get(String more, MediaType accept, Consumer<HttpHeaders> headers) {
        return http.get()
                .uri(path(more))
                .accept(accept)
                .headers(headers)
                .retrieve()
                .toEntity(String.class)
                .block(PATIENCE);
    }

    private static List<Map<String, Object>> read(String body) {
        return JsonMapper.shared().readValue(body, new tools.jackson.core.type.TypeReference<>() {});
    }

    private static int remaining(List<Map<String, Object>> list, long slot) {
        return list.stream()
                .filter(listed -> id(listed) == slot)
                .map(listed -> (int) listed.get("remaining"))
                .findFirst()
                .orElseThrow();
    }

    private static long id(Map<String, Object> slot) {
        return ((Number) slot.get("id")).longValue();
    }

    private static WebClient client(ApplicationContext instance) {
        return WebClient.create(
                "http://127.0.0.1:" + instance.getEnvironment().getRequiredProperty("local.server.port"));
    }
}
