package dev.daybreak.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import dev.daybreak.fuzz.ApiCall.Spoilt;
import dev.daybreak.fuzz.RawHttp.Answer;
import dev.daybreak.platform.problem.ProblemCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.r2dbc.core.DatabaseClient;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every call of the API description with every parameter and field spoilt: only statuses the description names, a problem document
 * for every refusal, never a fault of the service's own, and nothing written by what was refused.
 * {@code -Ddaybreak.fuzz.seconds=600} goes on for longer, {@code -Ddaybreak.fuzz.seed=…} repeats what failed.
 */
@DaybreakTest
class ApiFuzzTest {

    private static final long SECONDS = Long.getLong("daybreak.fuzz.seconds", 20);
    private static final long SEED = Long.getLong("daybreak.fuzz.seed", System.nanoTime());
    private static final int MOST_FAULTS = 40;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    // A transaction that writes anything, or locks a row, takes a number. Where none was taken, nothing was written.
    private static final String NEXT_TRANSACTION = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint";

    // Messages, the marks of the relay and the filing of old appointments are written by the service itself.
    private static final String TABLES = """
            SELECT string_agg(table_name, ',' ORDER BY table_name) FROM information_schema.tables
            WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
              AND table_name NOT IN ('flyway_schema_history', 'notification', 'outbox_pruned', 'filing')""";

    @Autowired
    ApplicationContext first;

    private ConfigurableApplicationContext service;
    private DatabaseClient database;
    private String fingerprintOfAll;
    private RawHttp http;

    private final Map<String, String> faults = new LinkedHashMap<>();

    private long transaction;
    private String fingerprint = "";

    @BeforeEach
    void openAClinic() throws Exception {
        service = TestServers.anotherInstance(
                first,
                TestServers.freshDatabase(first),
                "daybreak.booking.sweep=0",
                "spring.data.redis.timeout=5s", // on a busy machine too
                // None expires meanwhile: its end would be recorded by whoever meets it, refused or not.
                "daybreak.booking.hold=4h",
                "daybreak.booking.hold-cap=8h");
        database = service.getBean(DatabaseClient.class);
        http = new RawHttp(Integer.parseInt(service.getEnvironment().getRequiredProperty("local.server.port")));
        fingerprintOfAll = String.join(
                " || ',' || ",
                List.of(text(TABLES).split(",")).stream()
                        .map(table -> table.equals("outbox_event")
                                ? "(SELECT count(*)::text FROM outbox_event)"
                                : "(SELECT count(*) || ':' || coalesce(sum(hashtext(t::text)), 0) FROM " + table
                                        + " t)")
                        .toList());
        fill();
    }

    @AfterEach
    void closeIt() {
        service.close();
    }

    private void fill() {
        var clinic = new Clinic(service);
        Instant soon = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS);
        for (int doctor = 1; doctor <= 3; doctor++) {
            long id = clinic.doctor();
            for (int i = 0; i < 4; i++) {
                long slot = clinic.slot(id, soon.plus(Duration.ofMinutes(15L * (4 * doctor + i))), 2);
                clinic.book(slot, doctor, Clinic.newKey());
                clinic.hold(slot, doctor + 3L, Clinic.newKey());
            }
        }
    }

    @Test
    void refusesEverythingOddAsDescribedAndWritesNothing() throws IOException {
        System.out.println("daybreak.fuzz.seed=" + SEED);
        var random = new Random(SEED);
        var nuisance = new Nuisance(random);
        List<ApiCall> calls = ApiCall.all(description());
        assertThat(calls).hasSizeGreaterThan(25);
        List<Case> cases = everySinglePlace(calls);
        Collections.shuffle(cases, random);
        var statuses = new TreeMap<Integer, Integer>();
        Instant end = Instant.now().plusSeconds(SECONDS);
        int tried = 0;
        look();
        for (Case one : cases) {
            tried += attempt(one, nuisance, statuses);
            if (!Instant.now().isBefore(end)) {
                break;
            }
        }
        while (Instant.now().isBefore(end)) {
            ApiCall call = nuisance.any(calls);
            List<Spoilt> ways = call.waysToSpoil();
            tried += attempt(new Case(call, List.of(nuisance.any(ways), nuisance.any(ways))), nuisance, statuses);
        }
        System.out.println(tried + " of " + cases.size() + " single faults and more: " + statuses);

        assertThat(faults.values()).as("%s", faults.keySet()).isEmpty();
        assertThat(statuses).containsKeys(400, 404).doesNotContainKeys(500, 503);
        assertThat(new Clinic(service).brokenInvariants()).isEmpty();
    }

    private record Case(ApiCall call, List<Spoilt> spoilt) {

        private String kind() {
            return call.method() + " " + call.pattern() + " "
                    + spoilt.stream().map(one -> one.place() + " " + one.name()).toList();
        }
    }

    private static List<Case> everySinglePlace(List<ApiCall> calls) {
        var cases = new ArrayList<Case>();
        for (ApiCall call : calls) {
            call.waysToSpoil().forEach(spoilt -> cases.add(new Case(call, List.of(spoilt))));
        }
        return cases;
    }

    /** Notes what is wrong instead of failing at once: faults come in kinds, and one kind hides the others. */
    private int attempt(Case one, Nuisance random, Map<Integer, Integer> statuses) {
        if (faults.size() < MOST_FAULTS) {
            try {
                check(one, random, statuses);
            } catch (AssertionError | IOException fault) {
                faults.putIfAbsent(one.kind(), shortened(fault.toString()));
                look();
            }
        }
        return 1;
    }

    private void check(Case one, Nuisance random, Map<Integer, Integer> statuses) throws IOException {
        byte[] request = one.call().request(one.spoilt(), random);
        Answer answer = http.send(request, ApiCall.isEndless(one.spoilt()));
        statuses.merge(answer.status(), 1, Integer::sum);
        // What matters first, as reports are cut.
        String said = "answered %s\nto %s, spoilt by %s\n%s"
                .formatted(answer, one.call(), shortened(one.spoilt().toString()), shown(request));
        assertThat(answer.status()).as(said).isLessThan(500);
        if (answer.status() >= 400) {
            check(one, answer, said);
            assertThat(look()).as("written by a refused request: " + said).isFalse();
        } else {
            assertThat(one.call().statuses()).as(said).contains(answer.status());
            look();
        }
    }

    private static void check(Case one, Answer answer, String said) {
        // Of HTTP itself: a request nobody could read, whatever it asks for.
        boolean unreadable = List.of(400, 408, 413, 414, 417, 431).contains(answer.status());
        if (!unreadable && !ApiCall.isElsewhere(one.spoilt(), one.call())) {
            assertThat(one.call().statuses()).as(said).contains(answer.status());
        }
        assertThat(answer.type()).as(said).startsWith("application/problem+json");
        if (one.call().method().equals("HEAD")) {
            return;
        }
        JsonNode problem = problem(answer, said);
        assertThat(problem.path("status").intValue()).as(said).isEqualTo(answer.status());
        assertThat(ProblemCode.valueOf(problem.path("code").stringValue())
                        .status()
                        .value())
                .as(said)
                .isEqualTo(answer.status());
        assertThat(problem.path("detail").stringValue()).as(said).isNotBlank();
        assertThat(answer.body()).as(said).doesNotContain("Exception", "springframework", "dev.daybreak", "io.netty");
        if (answer.status() == 429) {
            assertThat(answer.headers()).as(said).containsKey("retry-after");
        }
    }

    private static JsonNode problem(Answer answer, String said) {
        try {
            return JSON.readTree(answer.body());
        } catch (JacksonException e) {
            throw new AssertionError("no problem document: " + said, e);
        }
    }

    /** Whether anything has been written since the last look. */
    private boolean look() {
        long next = number();
        if (next == transaction) {
            return false;
        }
        transaction = next;
        String before = fingerprint;
        fingerprint = text("SELECT " + fingerprintOfAll);
        return !fingerprint.equals(before);
    }

    private long number() {
        return database.sql(NEXT_TRANSACTION).mapValue(Long.class).one().block(Duration.ofSeconds(20));
    }

    private String text(String sql) {
        return database.sql(sql).mapValue(String.class).one().block(Duration.ofSeconds(20));
    }

    private JsonNode description() throws IOException {
        Answer answer = http.send(
                "GET /v3/api-docs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII),
                false);
        return JSON.readTree(answer.body());
    }

    private static String shown(byte[] request) {
        return shortened(new String(request, StandardCharsets.ISO_8859_1));
    }

    private static String shortened(String text) {
        return text.length() <= 1500 ? text : text.substring(0, 1500) + "…";
    }
}
