package dev.daybreak.platform.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Bearer;
import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.client.WebClient;

/** Cases L1 to L4 and L11: what patients, doctors and staff may do with their own things and with those of others. */
@DaybreakTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OwnThingsTest {

    @Autowired
    ApplicationContext first;

    ConfigurableApplicationContext service;
    Clinic clinic;
    long doctor;
    long slot;
    long anna;
    long bert;

    @BeforeAll
    void startWithTokens() {
        service = TestServers.anotherInstance(
                first,
                "daybreak.security.jwt.secret=" + Bearer.SECRET,
                "daybreak.booking.latest-cancel=2d",
                "daybreak.booking.latest-move=2d");
        clinic = new Clinic(service);
    }

    @AfterAll
    void stop() {
        service.close();
    }

    @BeforeEach
    void openASlot() {
        doctor = clinic.doctor();
        slot = clinic.slot(doctor, Instant.now().plusSeconds(86_400 * 3), 5);
        anna = Clinic.newPatient();
        bert = Clinic.newPatient();
    }

    private Answer send(Bearer caller, HttpMethod method, String path, Object body) {
        Map<String, String> headers = new LinkedHashMap<>(Bearer.header(caller.signed()));
        headers.put("Idempotency-Key", Clinic.newKey());
        return clinic.send(method, path, headers, body);
    }

    private Answer book(long patient) {
        return send(Bearer.patient(patient), HttpMethod.POST, "/api/appointments", Map.of("slotId", slot));
    }

    @Test
    void aPatientBooksWithoutSayingWhoTheyAre() {
        Answer booked = book(anna);

        assertThat(booked.status().value()).isEqualTo(201);
        assertThat(booked.body()).containsEntry("patientId", anna);
    }

    @ParameterizedTest
    @CsvSource({"/api/appointments", "/api/holds"})
    void nobodyBooksForAnotherPatient(String path) {
        Answer refused = send(Bearer.patient(anna), HttpMethod.POST, path, Map.of("slotId", slot, "patientId", bert));

        assertThat(refused.status().value()).isEqualTo(403);
        assertThat(refused.code()).isEqualTo("FORBIDDEN");
        assertThat(clinic.appointments(slot)).isZero();
        assertThat(clinic.bookedCount(slot)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"'\"1\"'", "1.0", "true", "[]", "{}"})
    void aPatientIdThatIsNoNumberIsNotGuessedAt(String patientId) {
        Answer refused = send(
                Bearer.patient(1),
                HttpMethod.POST,
                "/api/appointments",
                "{\"slotId\": %d, \"patientId\": %s}".formatted(slot, patientId));

        assertThat(refused.status().value()).isEqualTo(400);
        assertThat(clinic.appointments(slot)).isZero();
    }

    @Test
    void twoPatientIdsInOneBodyAreRefused() {
        Answer refused = send(
                Bearer.patient(anna),
                HttpMethod.POST,
                "/api/appointments",
                "{\"slotId\": %d, \"patientId\": %d, \"patientId\": %d}".formatted(slot, anna, bert));

        assertThat(refused.status().value()).isEqualTo(400);
        assertThat(clinic.appointments(slot)).isZero();
    }

    @Test
    void staffBooksForAnybodyAndHasToSayForWhom() {
        Bearer staff = Bearer.of("staff");

        assertThat(send(staff, HttpMethod.POST, "/api/appointments", Map.of("slotId", slot, "patientId", bert))
                        .is(201))
                .isTrue();
        assertThat(send(staff, HttpMethod.POST, "/api/appointments", Map.of("slotId", slot))
                        .is(400))
                .isTrue();
    }

    @Test
    void anotherPatientsAppointmentCannotBeSeenCancelledOrMoved() {
        long appointment = book(anna).id();
        String path = "/api/appointments/" + appointment;
        Bearer other = Bearer.patient(bert);

        assertThat(send(other, HttpMethod.DELETE, path, null).is(404)).isTrue();
        assertThat(send(other, HttpMethod.PUT, path + "/slot", Map.of("slotId", slot))
                        .is(404))
                .isTrue();
        assertThat(send(other, HttpMethod.GET, path + "/calendar.ics", null).code())
                .isEqualTo("APPOINTMENT_NOT_FOUND");
        assertThat(clinic.active(slot)).isEqualTo(1);
        assertThat(send(Bearer.patient(anna), HttpMethod.DELETE, path, null).is(204))
                .isTrue();
        assertThat(clinic.active(slot)).isZero();
    }

    @Test
    void anotherPatientsHoldCannotBeChangedEvenWithItsToken() {
        Answer held = send(Bearer.patient(anna), HttpMethod.POST, "/api/holds", Map.of("slotId", slot));
        Map<String, String> theirs =
                new LinkedHashMap<>(Bearer.header(Bearer.patient(bert).signed()));
        theirs.put("Hold-Token", held.token());
        Map<String, String> own =
                new LinkedHashMap<>(Bearer.header(Bearer.patient(anna).signed()));
        own.put("Hold-Token", held.token());

        assertThat(clinic.send(HttpMethod.DELETE, "/api/holds/" + held.id(), theirs, null)
                        .code())
                .isEqualTo("HOLD_NOT_FOUND");
        assertThat(clinic.active(slot)).isEqualTo(1);
        assertThat(clinic.send(HttpMethod.POST, "/api/holds/" + held.id() + "/confirm", own, null)
                        .is(200))
                .isTrue();
    }

    @Test
    void aPatientSeesOnlyTheirOwnList() {
        book(anna);
        book(bert);

        Answer own = send(Bearer.patient(anna), HttpMethod.GET, "/api/patients/" + anna + "/appointments", null);

        assertThat((List<?>) own.body().get("list"))
                .singleElement()
                .satisfies(appointment ->
                        assertThat(((Map<?, ?>) appointment).get("patientId")).isEqualTo(anna));
        assertThat(send(Bearer.patient(anna), HttpMethod.GET, "/api/patients/" + bert + "/appointments", null)
                        .code())
                .isEqualTo("FORBIDDEN");
    }

    @Test
    void aDoctorChangesOnlyTheirOwnSchedule() {
        long other = clinic.doctor();
        Bearer own = Bearer.doctor(doctor);
        Map<String, Object> hours = Map.of(
                "fromDate",
                LocalDate.now().plusDays(7).toString(),
                "toDate",
                LocalDate.now().plusDays(14).toString(),
                "weekdays",
                List.of("MONDAY"),
                "startTime",
                "09:00",
                "endTime",
                "12:00",
                "slotMinutes",
                20,
                "capacity",
                1);

        assertThat(send(own, HttpMethod.POST, "/api/admin/doctors/" + doctor + "/schedules", hours)
                        .is(201))
                .isTrue();
        assertThat(send(own, HttpMethod.POST, "/api/admin/doctors/" + other + "/schedules", hours)
                        .code())
                .isEqualTo("FORBIDDEN");
        assertThat(clinic.number("SELECT count(*) FROM time_slot WHERE doctor_id = " + other))
                .isZero();
        long schedule = clinic.number("SELECT id FROM schedule WHERE doctor_id = " + doctor);
        assertThat(send(Bearer.doctor(other), HttpMethod.DELETE, "/api/admin/schedules/" + schedule, null)
                        .code())
                .isEqualTo("FORBIDDEN");
        assertThat(send(own, HttpMethod.DELETE, "/api/admin/schedules/" + schedule, null)
                        .is(200))
                .isTrue();
    }

    @Test
    void aDoctorChangesOnlyTheirOwnSlotsAndClosures() {
        Bearer other = Bearer.doctor(clinic.doctor());
        Bearer own = Bearer.doctor(doctor);

        assertThat(send(other, HttpMethod.PATCH, "/api/admin/slots/" + slot, Map.of("capacity", 9))
                        .is(403))
                .isTrue();
        assertThat(clinic.number("SELECT capacity FROM time_slot WHERE id = " + slot))
                .isEqualTo(5);
        assertThat(send(own, HttpMethod.PATCH, "/api/admin/slots/" + slot, Map.of("capacity", 9))
                        .is(200))
                .isTrue();
        long clinicWide = send(
                        Bearer.of("staff"),
                        HttpMethod.POST,
                        "/api/admin/closures",
                        Map.of("from", "2041-01-01", "to", "2041-01-01", "reason", "New Year"))
                .id();
        assertThat(send(own, HttpMethod.DELETE, "/api/admin/closures/" + clinicWide, null)
                        .is(403))
                .isTrue();
        assertThat(send(Bearer.of("staff"), HttpMethod.DELETE, "/api/admin/closures/" + clinicWide, null)
                        .is(204))
                .isTrue();
    }

    @Test
    void aLateCancellationIsForStaffWhoSignsIt() {
        long soon = clinic.slot(doctor, Instant.now().plusSeconds(86_400), 5);
        long appointment = send(Bearer.patient(anna), HttpMethod.POST, "/api/appointments", Map.of("slotId", soon))
                .id();
        String path = "/api/appointments/" + appointment;

        assertThat(send(Bearer.patient(anna), HttpMethod.DELETE, path, null).code())
                .isEqualTo("TOO_LATE");
        assertThat(send(Bearer.of("staff").with("sub", "reception"), HttpMethod.DELETE, path, null)
                        .is(204))
                .isTrue();
        assertThat(send(Bearer.patient(anna), HttpMethod.GET, path, null).body())
                .containsEntry("cancelledBy", "reception");
    }

    @Test
    void aLateMoveIsForStaffWhoSignIt() {
        Instant start = Instant.now().plusSeconds(86_400);
        long soon = clinic.slot(doctor, start, 5);
        long later = clinic.slot(doctor, start.plusSeconds(3_600), 5);
        String path = "/api/appointments/"
                + send(Bearer.patient(anna), HttpMethod.POST, "/api/appointments", Map.of("slotId", soon))
                        .id();

        assertThat(send(Bearer.patient(anna), HttpMethod.PUT, path + "/slot", Map.of("slotId", later))
                        .code())
                .isEqualTo("TOO_LATE");
        Answer moved = send(
                Bearer.of("staff").with("sub", "reception"), HttpMethod.PUT, path + "/slot", Map.of("slotId", later));
        assertThat(moved.body()).containsEntry("slotId", (int) later);
        assertThat(moved.body().get("history").toString()).contains("by=reception");
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void aPatientIsBusyAtOneDoctorForAllOthers() {
        book(anna);
        long elsewhere = clinic.slot(
                clinic.doctor(),
                Instant.ofEpochSecond(
                        clinic.number("SELECT extract(epoch FROM start_at)::bigint FROM time_slot WHERE id = " + slot)
                                + 300),
                1);

        Answer refused = send(Bearer.patient(anna), HttpMethod.POST, "/api/appointments", Map.of("slotId", elsewhere));

        assertThat(refused.code()).isEqualTo("PATIENT_OVERLAP");
    }

    @ParameterizedTest
    @CsvSource({
        "/actuator/health, 200",
        "/actuator/health/readiness, 200",
        "/actuator/metrics, 401",
        "/actuator, 401",
        "/actuator/metrics/jvm.info, 401",
        "/%61ctuator/metrics, 401",
        "/actuator;x=y/metrics, 401",
        "/v3/api-docs, 200",
        "/nothing, 404"
    })
    void theActuatorIsForAdminsButForHealth(String path, int status) {
        var uri = URI.create(
                "http://127.0.0.1:" + service.getEnvironment().getRequiredProperty("local.server.port") + path);
        var http = WebClient.create();

        assertThat(status(http, uri, "")).isEqualTo(status);
        if (status == 401) {
            assertThat(status(http, uri, Bearer.of("staff").signed())).isEqualTo(403);
            assertThat(status(http, uri, Bearer.of("admin").signed())).isNotIn(401, 403);
        }
    }

    private static int status(WebClient http, URI uri, String token) {
        return http.get()
                .uri(uri)
                .headers(headers -> {
                    if (!token.isEmpty()) {
                        headers.setBearerAuth(token);
                    }
                })
                .exchangeToMono(response ->
                        response.releaseBody().thenReturn(response.statusCode().value()))
                .block(Duration.ofSeconds(20));
    }
}
