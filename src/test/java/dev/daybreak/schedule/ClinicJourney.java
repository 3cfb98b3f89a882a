package dev.daybreak.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.test.web.reactive.server.WebTestClient;

/** What the clinic's staff does over HTTP, step by step, and what is in the tables afterwards. */
final class ClinicJourney {

    static final Duration SOON = Duration.ofSeconds(20);

    private final WebTestClient http;
    private final DatabaseClient database;
    private final Slots slots;

    private ClinicJourney(WebTestClient http, DatabaseClient database, Slots slots) {
        this.http = http;
        this.database = database;
        this.slots = slots;
    }

    static ClinicJourney at(ApplicationContext context) {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        return new ClinicJourney(
                WebTestClient.bindToServer()
                        .baseUrl("http://127.0.0.1:" + port)
                        .responseTimeout(SOON)
                        .build(),
                context.getBean(DatabaseClient.class),
                context.getBean(Slots.class));
    }

    long addDoctor() {
        return addDoctor("Dr. Test", "Testing");
    }

    long addDoctor(String name, String specialty) {
        byte[] body = post("/api/admin/doctors", """
                        {"name": "%s", "specialty": "%s"}""".formatted(name, specialty))
                .expectStatus()
                .isCreated()
                .expectBody()
                .returnResult()
                .getResponseBody();
        return JsonPath.<Number>read(new String(Objects.requireNonNull(body)), "$.id")
                .longValue();
    }

    WebTestClient.ResponseSpec publish(long doctor, String schedule) {
        return post("/api/admin/doctors/" + doctor + "/schedules", schedule);
    }

    /** Publishes, expecting these figures. */
    void publishes(long doctor, String schedule, int created, int existing, int skipped) {
        publish(doctor, schedule).expectStatus().isCreated().expectBody().json("""
                        {"created": %d, "existing": %d, "skipped": %d}""".formatted(
                        created, existing, skipped));
    }

    WebTestClient.ResponseSpec changeSlot(long slot, String change) {
        return http.patch()
                .uri("/api/admin/slots/" + slot)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(change)
                .exchange();
    }

    WebTestClient.ResponseSpec get(String uri, Object... values) {
        return http.get().uri(uri, values).exchange();
    }

    WebTestClient.ResponseSpec post(String uri, String body) {
        return http.post()
                .uri(uri)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body)
                .exchange();
    }

    List<Slot> slots(long doctor) {
        return Objects.requireNonNull(
                slots.between(doctor, Instant.parse("2000-01-01T00:00:00Z"), Instant.parse("3000-01-01T00:00:00Z"))
                        .block(SOON));
    }

    List<String> starts(long doctor) {
        return slots(doctor).stream().map(slot -> slot.startAt().toString()).toList();
    }

    long schedules(long doctor) {
        return Objects.requireNonNull(database.sql("SELECT count(*) FROM schedule WHERE doctor_id = :doctor")
                .bind("doctor", doctor)
                .mapValue(Long.class)
                .one()
                .block(SOON));
    }

    /** Takes seats as booking does, a moment before the slot begins. */
    void takeSeats(long slot, int seats) {
        database.sql("""
                        SELECT b.outcome
                        FROM time_slot s, book_batch(
                            array_fill(s.id, ARRAY[:seats]),
                            ARRAY(SELECT s.id * 100000 + g FROM generate_series(1, :seats) g),
                            ARRAY(SELECT gen_random_uuid()::text FROM generate_series(1, :seats)),
                            s.start_at - interval '1 second') b
                        WHERE s.id = :slot""")
                .bind("seats", seats)
                .bind("slot", slot)
                .mapValue(String.class)
                .all()
                .collectList()
                .block(SOON)
                .forEach(outcome -> assertThat(outcome).isEqualTo("BOOKED"));
    }

    /** Days, hours and length of slots, and whatever else, such as {@code "capacity": 2}. */
    static String schedule(String days, String hours, int slotMinutes, String... more) {
        String[] range = days.split("/");
        String[] ends = hours.split("-");
        String toDate = range.length == 1 ? "" : "\"toDate\": \"" + range[1] + "\",";
        String capacity = String.join("", more).contains("\"capacity\"") ? "" : "\"capacity\": 1,";
        String weekdays = String.join("", more).contains("\"weekdays\"") ? "" : """
                "weekdays": ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"],""";
        return """
                {%s %s %s %s "fromDate": "%s", "startTime": "%s", "endTime": "%s", "slotMinutes": %d}""".formatted(
                        toDate,
                        capacity,
                        weekdays,
                        more.length == 0 ? "" : String.join(", ", more) + ",",
                        range[0],
                        ends[0],
                        ends[1],
                        slotMinutes);
    }
}
