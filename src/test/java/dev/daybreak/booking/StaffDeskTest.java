package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.MutableClock;
import dev.daybreak.TestServers;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What staff do for patients, with the trail it leaves. */
@DaybreakTest
class StaffDeskTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Autowired
    ApplicationContext service;

    @Autowired
    MutableClock clock;

    Clinic clinic;

    // Nobody has two appointments at one time, and the slots of all tests are at the same.
    private final long someone = Clinic.newPatient();
    private final long somebodyElse = Clinic.newPatient();

    @BeforeEach
    void openAClinic() {
        clinic = new Clinic(service);
    }

    @AfterEach
    void letTimeGoOn() {
        clock.reset();
    }

    @Test
    void cancelsForAPatientAndSaysWhoAndWhy() {
        long slot = clinic.slot(1);
        long appointment = clinic.book(slot, someone, Clinic.newKey()).id();

        assertThat(forcedCancel(appointment, "Doctor%20ill").is(204)).isTrue();
        assertThat(forcedCancel(appointment, "again").is(204)).isTrue();

        assertThat(clinic.get("/api/appointments/" + appointment).body())
                .containsEntry("status", "CANCELLED")
                .containsEntry("cancelledBy", "anonymous")
                .containsEntry("cancelReason", "Doctor ill");
        assertThat(trail("appointment", appointment)).isEqualTo(1);
        assertThat(clinic.number("SELECT count(*) FROM audit_entry WHERE subject_type = 'appointment' AND subject_id = "
                        + appointment + " AND before->>'status' = 'BOOKED' AND after->>'status' = 'CANCELLED'"
                        + " AND reason = 'Doctor ill'"))
                .isEqualTo(1);
        assertThat(clinic.book(slot, somebodyElse, Clinic.newKey()).is(201)).isTrue();
    }

    /** Case C12. */
    @Test
    void givesTheSeatBackOnceHoweverManyCancelAndFromWhichSide() {
        for (int round = 0; round < 20; round++) {
            long slot = clinic.slot(3);
            long appointment =
                    clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).id();
            clinic.book(slot, Clinic.newPatient(), Clinic.newKey());

            List<Answer> answers = Flux.range(0, 8)
                    .flatMap(i -> i % 2 == 0 ? clinic.cancelling(appointment) : forcedCancelling(appointment, "x"), 8)
                    .collectList()
                    .block(PATIENCE);

            assertThat(answers).allMatch(answer -> answer.is(204));
            assertThat(clinic.bookedCount(slot)).isEqualTo(1);
            assertThat(clinic.active(slot)).isEqualTo(1);
            assertThat(trail("appointment", appointment)).isLessThanOrEqualTo(1);
        }
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    /** The twin: a trail that is written beside the change, not with it, may tell of what never happened. */
    @Test
    void tellsOfACancellationExactlyIfItWasTheStaffs() {
        long slot = clinic.slot(50);
        List<Long> appointments = IntStream.range(0, 50)
                .mapToObj(i ->
                        clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).id())
                .toList();

        Flux.fromIterable(appointments)
                .flatMap(id -> Mono.zip(clinic.cancelling(id), forcedCancelling(id, "x")), 50)
                .collectList()
                .block(PATIENCE);

        for (long id : appointments) {
            assertThat(trail("appointment", id))
                    .isEqualTo(clinic.number(
                            "SELECT count(*) FROM appointment WHERE cancelled_by = 'anonymous' AND id = " + id));
        }
        assertThat(clinic.active(slot)).isZero();
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void needsAReasonToCancel() {
        long appointment = clinic.book(clinic.slot(1), someone, Clinic.newKey()).id();

        Answer answer = clinic.send(HttpMethod.DELETE, "/api/admin/appointments/" + appointment, Map.of(), null);

        assertThat(answer.code()).isEqualTo("VALIDATION_FAILED");
        assertThat(forcedCancel(999_999_999_999L, "x").code()).isEqualTo("APPOINTMENT_NOT_FOUND");
    }

    @Test
    void cancelsWhenPatientsCanNoLonger() {
        try (var strict = TestServers.anotherInstance(service, "daybreak.booking.latest-cancel=48h")) {
            Clinic other = Clinic.at(strict);
            long slot = clinic.slot(1);
            long appointment = clinic.book(slot, someone, Clinic.newKey()).id();
            assertThat(other.cancel(appointment).code()).isEqualTo("TOO_LATE");

            assertThat(other.send(
                                    HttpMethod.DELETE,
                                    "/api/admin/appointments/" + appointment + "?reason=x",
                                    Map.of(),
                                    null)
                            .is(204))
                    .isTrue();
            assertThat(clinic.active(slot)).isZero();
        }
    }

    @Test
    void booksForAPatientAndSignsIt() {
        long slot = clinic.slot(1);
        String key = Clinic.newKey();

        Answer booked = book(clinic, slot, someone, key, Map.of("reason", "On the phone"));
        Answer again = book(clinic, slot, someone, key, Map.of());

        assertThat(booked.is(201)).as("%s", booked).isTrue();
        assertThat(booked.headers()).containsEntry("Location", "/api/appointments/" + booked.id());
        assertThat(again.is(200)).isTrue();
        assertThat(again.id()).isEqualTo(booked.id());
        assertThat(clinic.get("/api/appointments/" + booked.id())
                        .body()
                        .get("history")
                        .toString())
                .contains("by=anonymous");
        assertThat(trail("appointment", booked.id())).isEqualTo(1);
        assertThat(book(clinic, slot, somebodyElse, Clinic.newKey(), Map.of()).code())
                .isEqualTo("SLOT_FULL");
        assertThat(clinic.events(slot)).isEqualTo(1);
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void doesNotOverbookUnlessTheClinicAllowsIt() {
        long slot = clinic.slot(1);
        clinic.book(slot, someone, Clinic.newKey());

        assertThat(book(clinic, slot, somebodyElse, Clinic.newKey(), Map.of("force", true, "reason", "Emergency"))
                        .code())
                .isEqualTo("OVERBOOKING_NOT_ALLOWED");
        assertThat(clinic.bookedCount(slot)).isEqualTo(1);
    }

    @Test
    void addsASeatForAReasonWhereTheClinicAllowsIt() {
        try (var generous = generous()) {
            Clinic other = Clinic.at(generous);
            long slot = clinic.slot(1);
            clinic.book(slot, someone, Clinic.newKey());

            Answer nameless = book(other, slot, somebodyElse, Clinic.newKey(), Map.of("force", true));
            Answer booked =
                    book(other, slot, somebodyElse, Clinic.newKey(), Map.of("force", true, "reason", "Emergency"));
            Answer already =
                    book(other, slot, somebodyElse, Clinic.newKey(), Map.of("force", true, "reason", "Emergency"));

            assertThat(nameless.code()).isEqualTo("VALIDATION_FAILED");
            assertThat(booked.is(201)).as("%s", booked).isTrue();
            assertThat(already.code()).isIn("ALREADY_BOOKED", "SLOT_FULL");
            assertThat(capacity(slot)).isEqualTo(2);
            assertThat(clinic.bookedCount(slot)).isEqualTo(2);
            assertThat(trail("slot", slot)).isEqualTo(1);
            assertThat(clinic.brokenInvariants()).isEmpty();
        }
    }

    @Test
    void keepsTheCapacityIfThePatientCannotCome() {
        try (var generous = generous()) {
            List<Long> slots = clinic.slots(1, 1);
            long doctor = clinic.doctor();
            long patient = Clinic.newPatient();
            Instant same = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS);
            long meanwhile = clinic.slot(doctor, same, 1);
            clinic.book(meanwhile, patient, Clinic.newKey());
            clinic.book(slots.getFirst(), Clinic.newPatient(), Clinic.newKey());

            Answer answer = book(
                    Clinic.at(generous),
                    slots.getFirst(),
                    patient,
                    Clinic.newKey(),
                    Map.of("force", true, "reason", "Emergency"));

            assertThat(answer.code()).isEqualTo("PATIENT_OVERLAP");
            assertThat(capacity(slots.getFirst())).isEqualTo(1);
            assertThat(trail("slot", slots.getFirst())).isZero();
        }
    }

    @Test
    void addsAsManySeatsAsAreForcedAndNoMore() {
        try (var generous = generous()) {
            Clinic other = Clinic.at(generous);
            long slot = clinic.slot(2);

            List<Answer> answers = Flux.range(0, 24)
                    .flatMap(
                            i -> i % 3 == 0
                                    ? booking(
                                            other,
                                            slot,
                                            Clinic.newPatient(),
                                            Clinic.newKey(),
                                            Map.of("force", true, "reason", "Emergency"))
                                    : clinic.booking(slot, Clinic.newPatient(), Clinic.newKey()),
                            24)
                    .collectList()
                    .block(PATIENCE);

            long booked = answers.stream().filter(answer -> answer.is(201)).count();
            assertThat(answers)
                    .allMatch(answer -> answer.is(201) || answer.code().equals("SLOT_FULL"));
            assertThat(booked).isGreaterThanOrEqualTo(8);
            assertThat(clinic.active(slot)).isEqualTo(booked).isEqualTo(clinic.bookedCount(slot));
            assertThat(capacity(slot)).isEqualTo(2 + trail("slot", slot));
            assertThat(capacity(slot)).isEqualTo(booked);
            assertThat(clinic.brokenInvariants()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"slotId, 0", "patientId, -1", "force, 3", "reason, ''"})
    void saysWhatIsWrongWithABooking(String field, String value) {
        Map<String, Object> body = new HashMap<>(Map.of("slotId", 1, "patientId", 1));
        body.put(field, value.matches("-?[0-9]+") ? Long.valueOf(value) : value);

        Answer answer = clinic.send(
                HttpMethod.POST, "/api/admin/appointments", Map.of("Idempotency-Key", Clinic.newKey()), body);

        assertThat(answer.code()).isEqualTo("VALIDATION_FAILED");
        assertThat(answer.body().get("violations").toString()).contains("field=" + field);
    }

    @Test
    void listsTheAppointmentsOfADayPageByPage() {
        List<Long> slots = clinic.slots(3, 2);
        long doctor = clinic.number("SELECT doctor_id FROM time_slot WHERE id = " + slots.getFirst());
        LocalDate day = LocalDate.ofInstant(
                Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS), ZoneOffset.UTC);
        long first =
                clinic.book(slots.get(0), Clinic.newPatient(), Clinic.newKey()).id();
        long second =
                clinic.book(slots.get(1), Clinic.newPatient(), Clinic.newKey()).id();
        long third =
                clinic.book(slots.get(1), Clinic.newPatient(), Clinic.newKey()).id();
        long held =
                clinic.hold(slots.get(2), Clinic.newPatient(), Clinic.newKey()).id();
        clinic.cancel(second);

        String path = "/api/admin/doctors/" + doctor + "/appointments?zone=UTC&date=" + day;
        String all = "/api/admin/appointments?zone=UTC&date=" + day + "&doctorId=" + doctor;

        assertThat(ids(path)).containsExactly(first, second, third, held).isEqualTo(ids(all));
        assertThat(ids(path + "&limit=2")).containsExactly(first, second);
        assertThat(ids(path + "&limit=2&after=" + second)).containsExactly(third, held);
        assertThat(ids(path + "&status=BOOKED")).containsExactly(first, third);
        assertThat(ids(path + "&status=CANCELLED")).containsExactly(second);
        assertThat(ids(path + "&status=HELD")).containsExactly(held);
        assertThat(ids("/api/admin/appointments?zone=UTC&limit=200&date=" + day))
                .isNotEmpty();
        assertThat(clinic.get("/api/admin/doctors/999999999999/appointments?date=" + day)
                        .code())
                .isEqualTo("DOCTOR_NOT_FOUND");
    }

    /** Case C15. */
    @Test
    void showsAnExpiredHoldWithItsTimesRecordedOrNot() {
        try (var sleepy =
                TestServers.anotherInstance(service, "daybreak.booking.sweep=0", "daybreak.booking.hold=50ms")) {
            Clinic other = Clinic.at(sleepy);
            long slot = clinic.slot(2);
            long hold = other.hold(slot, Clinic.newPatient(), Clinic.newKey()).id();
            org.awaitility.Awaitility.await().until(() -> holdIds("EXPIRED").contains(hold));

            assertThat(holdIds("HELD")).doesNotContain(hold);
            assertThat(clinic.get("/api/admin/holds?status=EXPIRED&before=" + (hold + 1) + "&limit=1")
                            .body()
                            .toString())
                    .contains("id=" + hold, "status=EXPIRED", "holdExpiresAt", "createdAt");
        }
    }

    private List<Long> holdIds(String status) {
        return ids("/api/admin/holds?status=" + status);
    }

    @SuppressWarnings("unchecked")
    private List<Long> ids(String path) {
        Answer answer = clinic.get(path);
        assertThat(answer.is(200)).as("%s", answer).isTrue();
        return ((List<Map<String, Object>>) answer.body().get("list"))
                .stream().map(one -> ((Number) one.get("id")).longValue()).toList();
    }

    private ConfigurableApplicationContext generous() {
        return TestServers.anotherInstance(service, "daybreak.booking.overbooking=true");
    }

    private static Answer book(Clinic at, long slot, long patient, String key, Map<String, Object> more) {
        return booking(at, slot, patient, key, more).block(PATIENCE);
    }

    private static Mono<Answer> booking(Clinic at, long slot, long patient, String key, Map<String, Object> more) {
        Map<String, Object> body = new HashMap<>(more);
        body.put("slotId", slot);
        body.put("patientId", patient);
        return at.calling(HttpMethod.POST, "/api/admin/appointments", Map.of("Idempotency-Key", key), body);
    }

    private Answer forcedCancel(long appointment, String reason) {
        return forcedCancelling(appointment, reason).block(PATIENCE);
    }

    private Mono<Answer> forcedCancelling(long appointment, String reason) {
        // As it stands: the client would encode what is encoded.
        return clinic.calling(
                HttpMethod.DELETE,
                "/api/admin/appointments/" + appointment + "?reason=" + reason.replace("%20", " "),
                Map.of(),
                null);
    }

    private long trail(String type, long id) {
        return clinic.number(
                "SELECT count(*) FROM audit_entry WHERE subject_type = '%s' AND subject_id = %d".formatted(type, id));
    }

    private long capacity(long slot) {
        return clinic.number("SELECT capacity::bigint FROM time_slot WHERE id = " + slot);
    }
}
