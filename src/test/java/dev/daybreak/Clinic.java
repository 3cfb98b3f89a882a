package dev.daybreak;

import dev.daybreak.admin.InvariantAudit;
import dev.daybreak.admin.InvariantAudit.Finding;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/**
 * A clinic of its own for a test: doctors and slots nobody else uses, patients who call the service over HTTP, and what the
 * committed rows say in the end.
 */
public final class Clinic {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AtomicLong PATIENTS =
            new AtomicLong(ThreadLocalRandom.current().nextLong(1L << 30, 1L << 40) << 8);

    private final DatabaseClient database;
    private final Mono<List<Finding>> audit;
    private final WebClient http;

    public Clinic(ApplicationContext instance) {
        this(instance, instance);
    }

    private Clinic(ApplicationContext data, ApplicationContext instance) {
        this.database = data.getBean(DatabaseClient.class);
        this.audit = data.getBean(InvariantAudit.class).run();
        this.http = WebClient.create(
                "http://127.0.0.1:" + instance.getEnvironment().getRequiredProperty("local.server.port"));
    }

    private Clinic(DatabaseClient database, String url) {
        this.database = database;
        this.http = WebClient.create(url);
        this.audit =
                call(HttpMethod.GET, "/api/admin/invariants", Map.of(), null).map(Clinic::findings);
    }

    /** A clinic whose instance is another process. */
    public static Clinic remote(DatabaseClient database, String url) {
        return new Clinic(database, url);
    }

    /** The same clinic, called at another instance of the service. */
    public static Clinic at(ApplicationContext instance) {
        return new Clinic(instance);
    }

    /**
     * What a patient was told.
     *
     * @param body the JSON object, empty if there was none
     */
    public record Answer(HttpStatus status, Map<String, Object> body, Map<String, String> headers) {

        public String code() {
            return (String) body.getOrDefault("code", "");
        }

        public long id() {
            return ((Number) Objects.requireNonNull(body.get("id"), body::toString)).longValue();
        }

        /** Of a hold. */
        public String token() {
            return (String) Objects.requireNonNull(body.get("token"), body::toString);
        }

        public boolean is(int expected) {
            return status.value() == expected;
        }
    }

    public static long newPatient() {
        return PATIENTS.incrementAndGet();
    }

    public static String newKey() {
        var random = ThreadLocalRandom.current(); // unlike UUID.randomUUID() never reads a file on an event loop
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    public long doctor() {
        return insertedId("INSERT INTO doctor (name, specialty) VALUES ('Dr. Test', 'general') RETURNING id");
    }

    /** A slot of a new doctor tomorrow, open for booking. */
    public long slot(int capacity) {
        return slots(1, capacity).getFirst();
    }

    /** Slots one after the other of a new doctor tomorrow, a quarter of an hour each. */
    public List<Long> slots(int count, int capacity) {
        long doctor = doctor();
        Instant first = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS);
        return java.util.stream.IntStream.range(0, count)
                .mapToObj(i -> slot(doctor, first.plus(Duration.ofMinutes(15L * i)), capacity))
                .toList();
    }

    /** A slot of a quarter of an hour that is open for booking. */
    public long slot(long doctor, Instant start, int capacity) {
        return slot(doctor, start, Duration.ofMinutes(15), capacity, Instant.EPOCH);
    }

    public long slot(long doctor, Instant start, Duration length, int capacity, Instant opensAt) {
        return insertedId(
                "INSERT INTO time_slot (doctor_id, start_at, end_at, capacity, opens_at) VALUES (%d, '%s', '%s', %d, '%s') RETURNING id"
                        .formatted(doctor, start, start.plus(length), capacity, opensAt));
    }

    public Answer book(long slot, long patient, String key) {
        return booking(slot, patient, key).block(PATIENCE);
    }

    public Mono<Answer> booking(long slot, long patient, String key) {
        return call(
                HttpMethod.POST,
                "/api/appointments",
                Map.of("Idempotency-Key", key),
                Map.of("slotId", slot, "patientId", patient));
    }

    public Answer cancel(long appointment) {
        return cancelling(appointment).block(PATIENCE);
    }

    public Mono<Answer> cancelling(long appointment) {
        return call(HttpMethod.DELETE, "/api/appointments/" + appointment, Map.of(), null);
    }

    public Answer hold(long slot, long patient, String key) {
        return holding(slot, patient, key).block(PATIENCE);
    }

    public Mono<Answer> holding(long slot, long patient, String key) {
        return call(
                HttpMethod.POST,
                "/api/holds",
                Map.of("Idempotency-Key", key),
                Map.of("slotId", slot, "patientId", patient));
    }

    public Answer extend(long hold, Object token) {
        return changingHold(HttpMethod.PUT, "/api/holds/" + hold, token).block(PATIENCE);
    }

    public Answer release(long hold, Object token) {
        return releasing(hold, token).block(PATIENCE);
    }

    public Mono<Answer> releasing(long hold, Object token) {
        return changingHold(HttpMethod.DELETE, "/api/holds/" + hold, token);
    }

    public Answer confirm(long hold, Object token) {
        return confirming(hold, token).block(PATIENCE);
    }

    public Mono<Answer> confirming(long hold, Object token) {
        return changingHold(HttpMethod.POST, "/api/holds/" + hold + "/confirm", token);
    }

    private Mono<Answer> changingHold(HttpMethod method, String path, Object token) {
        return call(method, path, Map.of("Hold-Token", token.toString()), null);
    }

    public Answer move(long appointment, long slot) {
        return moving(appointment, slot).block(PATIENCE);
    }

    public Mono<Answer> moving(long appointment, long slot) {
        return call(HttpMethod.PUT, "/api/appointments/" + appointment + "/slot", Map.of(), Map.of("slotId", slot));
    }

    /** What breaks an invariant anywhere in the database, in the words of the audit; empty when all is well. */
    public List<String> brokenInvariants() {
        return Objects.requireNonNull(audit.block(PATIENCE)).stream()
                .filter(finding -> finding.count() > 0)
                .map(finding -> finding.invariant() + " " + finding.rule() + ": " + finding.count())
                .toList();
    }

    private static List<Finding> findings(Answer report) {
        if (!(report.body().get("violations") instanceof List<?> rules)) {
            throw new IllegalStateException("no audit: " + report);
        }
        return rules.stream()
                .map(rule -> (Map<?, ?>) rule)
                .map(rule -> new Finding(
                        (String) rule.get("invariant"),
                        (String) rule.get("rule"),
                        ((Number) rule.get("count")).longValue()))
                .toList();
    }

    public Answer get(String path) {
        return calling(path).block(PATIENCE);
    }

    public Mono<Answer> calling(String path) {
        return call(HttpMethod.GET, path, Map.of(), null);
    }

    public Answer send(HttpMethod method, String path, Map<String, String> headers, Object body) {
        return call(method, path, headers, body).block(PATIENCE);
    }

    public Mono<Answer> calling(HttpMethod method, String path, Map<String, String> headers, Object body) {
        return call(method, path, headers, body);
    }

    private Mono<Answer> call(HttpMethod method, String path, Map<String, String> headers, Object body) {
        var request = http.method(method).uri(path).headers(sent -> headers.forEach(sent::add));
        if (body != null) {
            if (!headers.containsKey("Content-Type")) {
                request.contentType(MediaType.APPLICATION_JSON);
            }
            request.bodyValue(body);
        }
        return request.exchangeToMono(response -> response.bodyToMono(Object.class)
                .defaultIfEmpty(Map.of())
                .map(content -> answer(
                        HttpStatus.valueOf(response.statusCode().value()),
                        content,
                        response.headers().asHttpHeaders().toSingleValueMap())));
    }

    @SuppressWarnings("unchecked")
    private static Answer answer(HttpStatus status, Object content, Map<String, String> headers) {
        Map<String, Object> body = content instanceof Map ? (Map<String, Object>) content : Map.of("list", content);
        return new Answer(status, body, headers);
    }

    /** The seats taken, recounted from the appointments. */
    public long active(long slot) {
        return number("SELECT count(*) FROM appointment WHERE status IN ('HELD', 'BOOKED') AND slot_id = " + slot);
    }

    public long bookedCount(long slot) {
        return number("SELECT booked_count FROM time_slot WHERE id = " + slot);
    }

    /** Appointments ever made in the slot, ended ones included. */
    public long appointments(long slot) {
        return number("SELECT count(*) FROM appointment WHERE slot_id = " + slot);
    }

    /** Events of appointments in the slot. */
    public long events(long slot) {
        return number("SELECT count(*) FROM outbox_event e JOIN appointment a ON a.id::text = e.aggregateid"
                + " WHERE e.aggregatetype = 'appointment' AND a.slot_id = "
                + slot);
    }

    public long number(String sql) {
        return Objects.requireNonNull(
                database.sql(sql).mapValue(Long.class).one().block(PATIENCE));
    }

    public void execute(String sql) {
        database.sql(sql).then().block(PATIENCE);
    }

    private long insertedId(String sql) {
        return number(sql);
    }
}
