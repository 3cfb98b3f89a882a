package dev.daybreak.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import dev.daybreak.platform.sql.SqlStates;
import dev.daybreak.platform.web.RouteCatalogue;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

/** Case L6: every change by the clinic's staff leaves who, what, when and why, and nothing takes it away again. */
@DaybreakTest
class AuditTrailTest {

    @Autowired
    ApplicationContext service;

    @Autowired
    RouteCatalogue routes;

    Clinic clinic;

    @BeforeEach
    void openAClinic() {
        clinic = new Clinic(service);
    }

    @Test
    void tellsOfADoctorAndTheirHours() {
        long doctor = clinic.send(
                        HttpMethod.POST,
                        "/api/admin/doctors",
                        Map.of(),
                        Map.of("name", "Dr. Secret Name", "specialty", "Optics"))
                .id();
        LocalDate day = LocalDate.now(ZoneOffset.UTC).plusDays(3);
        Map<String, Object> hours = hours(day, "09:00", "10:00");
        clinic.send(HttpMethod.POST, "/api/admin/doctors/" + doctor + "/schedules", Map.of(), hours);

        assertThat(entry("doctor:" + doctor))
                .containsEntry("action", "doctor.add")
                .containsEntry("actor", "anonymous")
                .containsEntry("address", "127.0.0.1")
                .containsEntry("after", Map.of("specialty", "Optics"));
        long schedule = clinic.number("SELECT id FROM schedule WHERE doctor_id = " + doctor);
        assertThat(entry("schedule:" + schedule)).containsEntry("action", "schedule.publish");
        assertThat(at(entry("schedule:" + schedule), "after")).containsEntry("startTime", "09:00");

        clinic.send(HttpMethod.POST, "/api/admin/doctors/" + doctor + "/schedules", Map.of(), hours);
        assertThat(entries("doctor:" + doctor))
                .as("publishing again changes nothing")
                .hasSize(1);

        clinic.send(
                HttpMethod.PUT,
                "/api/admin/schedules/" + schedule,
                Map.of(),
                Map.of("toDate", day.toString(), "weekdays", weekdays(), "startTime", "09:00", "endTime", "09:30"));
        Map<String, Object> change = entry("schedule:" + schedule);
        assertThat(change).containsEntry("action", "schedule.change");
        assertThat(at(change, "before")).containsEntry("endTime", "10:00");

        clinic.send(HttpMethod.DELETE, "/api/admin/schedules/" + schedule + "?reason=Moved away", Map.of(), null);
        assertThat(entry("schedule:" + schedule))
                .containsEntry("action", "schedule.end")
                .containsEntry("reason", "Moved away")
                .doesNotContainKey("after");
    }

    @Test
    void tellsOfAClosureAndWhatItCancelled() {
        long slot = clinic.slot(2);
        clinic.book(slot, Clinic.newPatient(), Clinic.newKey());
        long doctor = clinic.number("SELECT doctor_id FROM time_slot WHERE id = " + slot);
        String path = "/api/admin/doctors/" + doctor + "/closures";
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        Map<String, Object> closure =
                Map.of("from", today.toString(), "to", today.plusDays(3).toString(), "reason", "Ill");

        assertThat(clinic.send(HttpMethod.POST, path, Map.of(), closure).is(409))
                .isTrue();
        assertThat(clinic.send(HttpMethod.POST, path, Map.of(), with(closure, "force", true, "dryRun", true))
                        .is(200))
                .isTrue();
        assertThat(clinic.number("SELECT count(*) FROM audit_entry e WHERE (e.after->>'doctorId')::bigint = " + doctor))
                .as("neither a refusal nor a dry run is a change")
                .isZero();

        long id = clinic.send(HttpMethod.POST, path, Map.of(), with(closure, "force", true))
                .id();
        Map<String, Object> made = entry("closure:" + id);
        assertThat(made).containsEntry("action", "closure.make").containsEntry("reason", "Ill");
        assertThat(at(made, "after")).containsEntry("cancelledAppointments", 1).containsEntry("closedSlots", 1);

        clinic.send(HttpMethod.DELETE, "/api/admin/closures/" + id, Map.of(), null);
        clinic.send(HttpMethod.DELETE, "/api/admin/closures/" + id, Map.of(), null);
        assertThat(entries("closure:" + id)).hasSize(2);
        assertThat(entry("closure:" + id)).containsEntry("action", "closure.end");
    }

    @Test
    void tellsOfASlotBeforeAndAfter() {
        long slot = clinic.slot(2);
        clinic.send(HttpMethod.PATCH, "/api/admin/slots/" + slot, Map.of(), Map.of("capacity", 5, "closed", true));

        Map<String, Object> change = entry("slot:" + slot);
        assertThat(at(change, "before")).isEqualTo(Map.of("capacity", 2, "closed", false));
        assertThat(at(change, "after")).isEqualTo(Map.of("capacity", 5, "closed", true));
    }

    @Test
    void hasNoEntryWithoutItsChangeAndNoChangeWithoutItsEntry() throws Exception {
        try (var other = TestServers.anotherInstance(service, TestServers.freshDatabase(service))) {
            var strict = new Clinic(other);
            long slot = strict.slot(2);
            strict.execute("ALTER TABLE audit_entry ADD CONSTRAINT never CHECK (subject_type <> 'slot')");

            Answer answer = strict.send(HttpMethod.PATCH, "/api/admin/slots/" + slot, Map.of(), Map.of("capacity", 5));

            assertThat(answer.is(500)).isTrue();
            assertThat(strict.number("SELECT capacity::bigint FROM time_slot WHERE id = " + slot))
                    .isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE audit_entry SET actor = 'nobody'",
                "DELETE FROM audit_entry",
                "DELETE FROM audit_entry WHERE false",
                "TRUNCATE audit_entry",
                "SET LOCAL session_replication_role = replica; DELETE FROM audit_entry"
            })
    void isNotChangedByTheOwnerOfTheTableEither(String sql) {
        clinic.send(HttpMethod.PATCH, "/api/admin/slots/" + clinic.slot(2), Map.of(), Map.of("capacity", 5));
        long before = clinic.number("SELECT count(*) FROM audit_entry");

        assertThatThrownBy(() -> clinic.execute(sql))
                .satisfies(failure -> assertThat(SqlStates.sqlState(failure)).isEqualTo("42501"));
        assertThat(clinic.number("SELECT count(*) FROM audit_entry")).isEqualTo(before);
    }

    @Test
    void canOnlyBeReadOverHttp() {
        assertThat(routes.routes())
                .filteredOn(route -> route.pattern().contains("audit"))
                .allSatisfy(route -> assertThat(route.method()).isIn(HttpMethod.GET, HttpMethod.HEAD));
        for (HttpMethod method : List.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE)) {
            assertThat(clinic.send(method, "/api/admin/audit", Map.of(), null).is(405))
                    .isTrue();
        }
    }

    @Test
    void isReadPageByPageTheNewestFirst() {
        long slot = clinic.slot(2);
        for (int capacity = 3; capacity <= 7; capacity++) {
            clinic.send(HttpMethod.PATCH, "/api/admin/slots/" + slot, Map.of(), Map.of("capacity", capacity));
        }

        List<Map<String, Object>> first = list("/api/admin/audit?subject=slot:" + slot + "&limit=2");
        List<Map<String, Object>> second = list("/api/admin/audit?subject=slot:" + slot + "&limit=2&before="
                + first.getLast().get("id"));

        assertThat(first)
                .extracting(entry -> at(entry, "after").get("capacity"))
                .containsExactly(7, 6);
        assertThat(second)
                .extracting(entry -> at(entry, "after").get("capacity"))
                .containsExactly(5, 4);
        assertThat(list("/api/admin/audit?subject=slot:" + slot + "&actor=somebody-else"))
                .isEmpty();
        assertThat(list("/api/admin/audit?subject=slot:" + slot + "&to=2020-01-01T00:00:00Z"))
                .isEmpty();
        assertThat(list("/api/admin/audit?subject=slot:" + slot + "&from=2020-01-01T00:00:00Z"))
                .hasSize(5);
        assertThat(list("/api/admin/audit?subject=slot&limit=1")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "subject=slot:0, subject",
        "subject=Slot, subject",
        "subject=slot:x, subject",
        "limit=0, limit",
        "limit=1000000, limit",
        "before=-1, before",
        "from=yesterday, from",
        "from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z, to",
        "colour=blue, colour"
    })
    void saysWhatIsWrongWithAQuestion(String query, String field) {
        Answer answer = clinic.get("/api/admin/audit?" + query);

        assertThat(answer.code()).isEqualTo("VALIDATION_FAILED");
        assertThat(answer.body().get("violations").toString()).contains("field=" + field);
    }

    @Test
    void showsTheSettingsInForceButNoSecret() throws Exception {
        try (var other = TestServers.anotherInstance(
                service, "daybreak.booking.hold=7m", "daybreak.web.cors.origins=https://portal.example.org")) {
            Map<String, Object> settings =
                    Clinic.at(other).get("/api/admin/settings").body();

            assertThat(settings)
                    .containsEntry("daybreak.booking.hold", "7m")
                    .containsEntry("daybreak.booking.overbooking", false)
                    .containsEntry("daybreak.clinic.zone", "Europe/Berlin")
                    .containsEntry("daybreak.web.cors.origins", List.of("https://portal.example.org"));
            assertThat(settings.entrySet())
                    .filteredOn(entry -> entry.getKey().matches(".*(password|secret|token).*"))
                    .allSatisfy(entry -> assertThat(entry.getValue()).isEqualTo("(set)"));
        }
    }

    private Map<String, Object> entry(String subject) {
        return entries(subject).getFirst();
    }

    private List<Map<String, Object>> entries(String subject) {
        return list("/api/admin/audit?subject=" + subject);
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> list(String path) {
        Answer answer = clinic.get(path);
        assertThat(answer.is(200)).as("%s", answer).isTrue();
        return (List<Map<String, Object>>) answer.body().get("list");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> at(Map<String, Object> entry, String field) {
        return (Map<String, Object>) entry.get(field);
    }

    private static Map<String, Object> with(Map<String, Object> body, Object... more) {
        var all = new java.util.HashMap<>(body);
        for (int i = 0; i < more.length; i += 2) {
            all.put((String) more[i], more[i + 1]);
        }
        return all;
    }

    private static Map<String, Object> hours(LocalDate day, String start, String end) {
        return Map.of(
                "fromDate",
                day.toString(),
                "toDate",
                day.toString(),
                "weekdays",
                weekdays(),
                "startTime",
                start,
                "endTime",
                end,
                "slotMinutes",
                15,
                "capacity",
                1);
    }

    private static List<String> weekdays() {
        return List.of("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY");
    }
}
