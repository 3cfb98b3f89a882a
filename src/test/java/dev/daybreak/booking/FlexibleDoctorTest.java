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
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
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
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@DaybreakTest
class FlexibleDoctorTest {

    static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    static final LocalDate DAY = LocalDate.now(BERLIN).plusDays(5);
    static final Duration PATIENCE = Duration.ofSeconds(120);

    @Autowired
    ApplicationContext service;

    @Autowired
    MutableClock clock;

    Clinic clinic;
    long doctor;

    @BeforeEach
    void aDoctorWhoIsOpenInTheMorning() {
        clinic = Clinic.at(service);
        doctor = clinic.doctor();
        publish(DAY, DAY, "09:00", "11:00", "\"breaks\": [{\"startTime\": \"10:00\", \"endTime\": \"10:15\"}]");
    }

    @AfterEach
    void goOnWithTime() {
        clock.reset();
    }

    @Test
    void listsWhatFitsBetweenTheBreaks() {
        assertThat(openings(DAY, 30)).containsExactly("09:00", "09:15", "09:30", "10:15", "10:30");
        assertThat(openings(DAY, 45)).containsExactly("09:00", "09:15", "10:15");
        assertThat(openings(DAY.plusDays(1), 15)).isEmpty();
        assertThat(clinic.number("SELECT count(*) FROM time_slot WHERE doctor_id = " + doctor))
                .isZero();
    }

    @Test
    void aTimeThatIsTakenIsNotListedAndComesBackWhenItIsCancelled() {
        Answer booked = book(at("09:15"), 30);

        assertThat(booked.is(201)).as("%s", booked).isTrue();
        assertThat(booked.headers()).containsEntry("Location", "/api/appointments/" + booked.id());
        assertThat(booked.body())
                .containsEntry("doctorId", (int) doctor)
                .containsEntry("startAt", at("09:15").toString())
                .containsEntry("endAt", at("09:45").toString())
                .containsEntry("status", "BOOKED")
                .doesNotContainKey("slotId");
        assertThat(openings(DAY, 15)).containsExactly("09:00", "09:45", "10:15", "10:30", "10:45");
        assertThat(clinic.get("/api/appointments/" + booked.id()).body()).containsEntry("doctorId", (int) doctor);

        assertThat(clinic.cancel(booked.id()).is(204)).isTrue();
        assertThat(clinic.cancel(booked.id()).is(204)).isTrue();
        assertThat(openings(DAY, 15)).contains("09:15", "09:30");
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void countsForACalendarWhatIsFreeOnADay() {
        publish(DAY.plusDays(2), DAY.plusDays(2), "09:00", "10:00", "\"breaks\": []");
        book(at("09:15"), 30);

        assertThat(openingDays(30)).containsExactly(DAY + " 2", DAY.plusDays(2) + " 3");
        assertThat(openingDays(45)).containsExactly(DAY + " 1", DAY.plusDays(2) + " 2");
        assertThat(clinic.get("/api/doctors/" + doctor).body()).containsEntry("flexible", true);
        assertThat(clinic.get("/api/doctors/" + doctor + "/opening-days?minutes=30&from=" + DAY + "&to="
                                + DAY.plusDays(42))
                        .is(400))
                .isTrue();
    }

    @SuppressWarnings("unchecked")
    private List<String> openingDays(int minutes) {
        var days = (List<Map<String, Object>>) clinic.get("/api/doctors/" + doctor + "/opening-days?minutes=" + minutes
                        + "&from=" + DAY + "&to=" + DAY.plusDays(10))
                .body()
                .get("list");
        return days.stream().map(day -> day.get("date") + " " + day.get("free")).toList();
    }

    @Test
    void theSameRequestBooksOnce() {
        long patient = Clinic.newPatient();
        String key = Clinic.newKey();

        Answer first = booking(clinic, at("09:00"), 30, patient, key).block(PATIENCE);
        Answer again = booking(clinic, at("09:00"), 30, patient, key).block(PATIENCE);

        assertThat(again.is(200)).isTrue();
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(booking(clinic, at("09:00"), 15, patient, key)
                        .block(PATIENCE)
                        .code())
                .isEqualTo("IDEMPOTENCY_KEY_REUSED");
        assertThat(booking(clinic, at("09:00"), 30, Clinic.newPatient(), key)
                        .block(PATIENCE)
                        .code())
                .isEqualTo("IDEMPOTENCY_KEY_REUSED");
        assertThat(clinic.book(clinic.slot(1), patient, key).code()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
        assertThat(booking(clinic, at("09:00"), 30, patient, Clinic.newKey())
                        .block(PATIENCE)
                        .code())
                .isEqualTo("ALREADY_BOOKED");
    }

    @Test
    void aKeyOfASlotBooksNoTime() {
        long patient = Clinic.newPatient();
        String key = Clinic.newKey();
        clinic.book(clinic.slot(1), patient, key);

        assertThat(booking(clinic, at("09:00"), 30, patient, key)
                        .block(PATIENCE)
                        .code())
                .isEqualTo("IDEMPOTENCY_KEY_REUSED");
    }

    @Test
    void whatOverlapsIsTakenAndWhatTouchesIsNot() {
        book(at("09:15"), 30);

        assertThat(book(at("09:00"), 30).code()).isEqualTo("OPENING_TAKEN");
        assertThat(book(at("09:30"), 15).code()).isEqualTo("OPENING_TAKEN");
        assertThat(book(at("09:00"), 15).is(201)).isTrue();
        assertThat(book(at("09:45"), 15).is(201)).isTrue();
    }

    @Test
    void aPatientIsInOnePlaceAtATime() {
        long patient = Clinic.newPatient();
        long slot = clinic.slot(clinic.doctor(), at("09:00"), 1);
        clinic.book(slot, patient, Clinic.newKey());

        assertThat(booking(clinic, at("09:00"), 15, patient, Clinic.newKey())
                        .block(PATIENCE)
                        .code())
                .isEqualTo("PATIENT_OVERLAP");
        assertThat(booking(clinic, at("09:15"), 15, patient, Clinic.newKey())
                        .block(PATIENCE)
                        .is(201))
                .isTrue();
        long other = clinic.slot(clinic.doctor(), at("09:15"), 1);
        assertThat(clinic.book(other, patient, Clinic.newKey()).code()).isEqualTo("PATIENT_OVERLAP");
    }

    @Test
    void onePatientMayHaveSeveralTimesOfADay() {
        long patient = Clinic.newPatient();
        booking(clinic, at("09:00"), 15, patient, Clinic.newKey()).block(PATIENCE);
        booking(clinic, at("09:30"), 15, patient, Clinic.newKey()).block(PATIENCE);

        assertThat(clinic.brokenInvariants()).isEmpty();
        assertThat(clinic.get("/api/patients/" + patient + "/appointments")
                        .body()
                        .toString())
                .contains(at("09:00").toString(), at("09:30").toString());
    }

    @Test
    void isNotOpenBeforeTheDayOpensAndSaysFromWhen() {
        LocalDate later = DAY.plusDays(30);
        publish(later, later, "09:00", "10:00", "\"breaks\": []");
        Instant opensAt = later.minusDays(14).atTime(7, 0).atZone(BERLIN).toInstant();

        Answer early = book(at(later, "09:00"), 15);

        assertThat(early.code()).isEqualTo("SLOT_NOT_OPEN");
        assertThat(early.body()).containsEntry("opensAt", opensAt.toString());
        assertThat(clinic.get(path(later, 15)).body().toString()).contains("opensAt=" + opensAt);
        clock.set(opensAt);
        assertThat(book(at(later, "09:00"), 15).is(201)).isTrue();
    }

    @Test
    void aTimeThatBeginsNowIsPast() {
        clock.set(at("09:15"));

        assertThat(book(at("09:15"), 15).code()).isEqualTo("SLOT_PAST");
        assertThat(openings(DAY, 15)).startsWith("09:30");
        clock.set(at("09:15").minusSeconds(1));
        assertThat(book(at("09:15"), 15).is(201)).isTrue();
    }

    @Test
    void nothingIsOpenInAClosure() {
        Answer booked = book(at("09:00"), 30);
        Map<String, Object> body = new HashMap<>(Map.of("from", DAY.toString(), "to", DAY.toString(), "reason", "ill"));
        String closures = "/api/admin/doctors/" + doctor + "/closures";

        Answer refused = clinic.send(HttpMethod.POST, closures, Map.of(), body);
        assertThat(refused.code()).isEqualTo("CLOSURE_AFFECTS_APPOINTMENTS");
        assertThat(refused.body()).containsEntry("count", 1);
        body.put("force", true);
        Answer closed = clinic.send(HttpMethod.POST, closures, Map.of(), body);

        assertThat(closed.body()).containsEntry("cancelledAppointments", 1);
        assertThat(clinic.get("/api/appointments/" + booked.id()).body()).containsEntry("status", "CANCELLED");
        assertThat(openings(DAY, 15)).isEmpty();
        assertThat(book(at("09:00"), 15).code()).isEqualTo("SLOT_CLOSED");
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-29, 02:00, 04:00, 60, 4", // 03:00 to 04:00 is all there is
        "2026-10-25, 02:00, 03:00, 120, 8", // an hour that comes twice
        "2026-10-24, 02:00, 04:00, 120, 8"
    })
    void whatIsListedWhereTheClocksChangeCanBeBooked(LocalDate day, String from, String to, int minutes, int count) {
        clock.set(day.minusDays(2).atTime(12, 0).atZone(BERLIN).toInstant());
        publish(day, day, from, to, "\"breaks\": []");

        List<Map<String, Object>> listed = list(day, 15);

        assertThat(listed).hasSize(count);
        assertThat(listed)
                .allSatisfy(opening -> assertThat(book(Instant.parse((String) opening.get("startAt")), 15)
                                .is(201))
                        .isTrue());
        assertThat(openings(day, 15)).isEmpty();
        assertThat(clinic.number(
                        "SELECT sum(extract(epoch FROM end_at - start_at) / 60)::bigint FROM appointment WHERE doctor_id = "
                                + doctor))
                .isEqualTo(minutes);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2030-05-02T09:05:00Z | 15   | startAt
            2030-05-02T09:00:00  | 15   | startAt
            2030-05-02T09:00:00Z | 20   | minutes
            2030-05-02T09:00:00Z | 60   | minutes
            2030-05-02T09:00:00Z | 0    | minutes
            """)
    void aMistakeIsNamed(String startAt, int minutes, String field) {
        Answer answer = clinic.send(
                HttpMethod.POST,
                "/api/appointments",
                Map.of("Idempotency-Key", Clinic.newKey()),
                Map.of("doctorId", doctor, "startAt", startAt, "minutes", minutes, "patientId", 77));

        assertThat(answer.is(400)).isTrue();
        assertThat(answer.body().get("violations").toString()).contains("field=" + field);
    }

    @Test
    void outsideTheHoursThereIsNothing() {
        assertThat(book(at("10:45"), 30).code()).isEqualTo("OPENING_NOT_FOUND");
        assertThat(book(at("09:45"), 30).code()).isEqualTo("OPENING_NOT_FOUND");
        assertThat(book(at("08:45"), 15).code()).isEqualTo("OPENING_NOT_FOUND");
        assertThat(clinic.get("/api/doctors/987654321/openings?minutes=15&date=" + DAY)
                        .code())
                .isEqualTo("DOCTOR_NOT_FOUND");
    }

    @Test
    void hoursThatAreTakenAlreadyCannotBePublishedFlexibly() {
        Answer refused = clinic.send(
                HttpMethod.POST,
                "/api/admin/doctors/" + doctor + "/schedules",
                Map.of("Content-Type", "application/json"),
                """
                {"fromDate": "%s", "toDate": "%s", "weekdays": ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY",
                 "SATURDAY", "SUNDAY"], "startTime": "10:30", "endTime": "12:00", "slotMinutes": 15, "capacity": 1}""".formatted(DAY, DAY));

        assertThat(refused.code()).isEqualTo("SCHEDULE_OVERLAP");
    }

    @Test
    void movesToAnotherTimeAndKeepsTheOldOneIfItCannot() {
        long id = book(at("09:00"), 30).id();
        book(at("10:15"), 15);

        assertThat(move(id, at("10:15"), 15).code()).isEqualTo("OPENING_TAKEN");
        assertThat(move(id, at("08:00"), 15).code()).isEqualTo("OPENING_NOT_FOUND");
        Answer moved = move(id, at("09:15"), 45);
        Answer again = move(id, at("09:15"), 45);

        assertThat(moved.is(200)).as("%s", moved).isTrue();
        assertThat(moved.body()).containsEntry("startAt", at("09:15").toString());
        assertThat(again.is(200)).isTrue();
        assertThat(openings(DAY, 15)).containsExactly("09:00", "10:30", "10:45");
        assertThat(clinic.number("SELECT revision::bigint FROM appointment WHERE id = " + id))
                .isEqualTo(2);
        assertThat(move(987654321, at("09:15"), 45).code()).isEqualTo("APPOINTMENT_NOT_FOUND");
        clinic.cancel(id);
        assertThat(move(id, at("09:00"), 15).code()).isEqualTo("APPOINTMENT_NOT_BOOKED");
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void twoHundredRoundsOfOverlappingRequestsHaveWinnersThatFitTogether() {
        try (var second = TestServers.anotherInstance(service)) {
            Clinic elsewhere = Clinic.at(second);
            publish(DAY.plusDays(1), DAY.plusDays(4), "00:00", "24:00", "\"breaks\": []");
            Instant first = DAY.plusDays(1).atTime(0, 0).atZone(BERLIN).toInstant();
            int[][] wishes = {{0, 45}, {0, 15}, {15, 15}, {15, 30}, {30, 30}, {30, 15}, {45, 15}};
            for (int round = 0; round < 200; round++) {
                Instant hour = first.plus(Duration.ofMinutes(round % 90 * 60L));
                if (round == 90 || round == 180) {
                    cancelAll();
                }
                int start = round;
                List<Answer> answers = Flux.fromStream(
                                IntStream.range(0, wishes.length).boxed())
                        .map(i -> (i + start) % wishes.length)
                        .flatMap(
                                i -> booking(
                                        i % 2 == 0 ? clinic : elsewhere,
                                        hour.plus(Duration.ofMinutes(wishes[i][0])),
                                        wishes[i][1],
                                        Clinic.newPatient(),
                                        Clinic.newKey()),
                                wishes.length)
                        .collectList()
                        .block(PATIENCE);

                assertThat(answers)
                        .allSatisfy(answer -> assertThat(
                                        answer.is(201) || answer.code().equals("OPENING_TAKEN"))
                                .as("%s", answer)
                                .isTrue());
                assertFitTogether(answers);
            }
        }
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void patientsWhoAskTwoDoctorsForOneTimeGetOne() {
        long other = clinic.doctor();
        publish(other, DAY, DAY, "09:00", "11:00", "\"breaks\": []");
        try (var second = TestServers.anotherInstance(service)) {
            Clinic elsewhere = Clinic.at(second);
            for (int round = 0; round < 20; round++) {
                long patient = Clinic.newPatient();
                List<Mono<Answer>> calls = new ArrayList<>();
                for (long of : List.of(doctor, other)) {
                    for (Clinic at : List.of(clinic, elsewhere)) {
                        calls.add(booking(at, of, at("09:00"), 30, patient, Clinic.newKey()));
                    }
                }
                List<Answer> answers = Flux.merge(calls).collectList().block(PATIENCE);

                List<Answer> won =
                        answers.stream().filter(answer -> answer.is(201)).toList();
                assertThat(won).as("%s", answers).hasSize(1);
                assertThat(answers)
                        .allSatisfy(
                                answer -> assertThat(answer.status().value()).isIn(201, 409));
                clinic.cancel(won.getFirst().id());
            }
        }
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void endingTheHoursWhileTheyAreBookedLeavesNobodyOutsideThem() {
        try (var second = TestServers.anotherInstance(service)) {
            Clinic elsewhere = Clinic.at(second);
            for (int round = 0; round < 20; round++) {
                long other = clinic.doctor();
                publish(other, DAY, DAY, "09:00", "11:00", "\"breaks\": []");
                long schedule = clinic.number("SELECT id FROM schedule WHERE doctor_id = " + other);
                List<Mono<Answer>> calls = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    calls.add(booking(
                            i % 2 == 0 ? clinic : elsewhere,
                            other,
                            at("09:00").plus(Duration.ofMinutes(15L * i)),
                            15,
                            Clinic.newPatient(),
                            Clinic.newKey()));
                }
                // Half of the hours go; whoever books in the other half must not notice.
                calls.add(
                        4,
                        clinic.calling(
                                HttpMethod.PUT,
                                "/api/admin/schedules/" + schedule,
                                Map.of("Content-Type", "application/json"),
                                """
                        {"toDate": "%s", "weekdays": ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY",
                         "SUNDAY"], "startTime": "09:00", "endTime": "10:00", "force": true, "reason": "Shorter"}""".formatted(DAY)));
                List<Answer> answers =
                        Flux.mergeSequential(calls, 16, 1).collectList().block(PATIENCE);

                assertThat(answers.get(4).is(200)).as("%s", answers.get(4)).isTrue();
                assertThat(answers.subList(0, 4)).allMatch(answer -> answer.is(201));
                assertThat(answers.subList(5, 9))
                        .allMatch(answer -> answer.is(201) || answer.code().equals("OPENING_NOT_FOUND"));
                assertThat(clinic.number("SELECT count(*) FROM appointment WHERE status = 'BOOKED' AND doctor_id = "
                                + other + " AND start_at >= '" + at("10:00") + "'"))
                        .isZero();
            }
        }
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void aPatientWhoTriesTooOftenHasToWait() {
        long patient = Clinic.newPatient();
        try (var limited = TestServers.anotherInstance(service, "daybreak.admission.attempts=5")) {
            Clinic at = Clinic.at(limited);
            for (int i = 0; i < 5; i++) {
                assertThat(booking(at, at("08:00"), 15, patient, Clinic.newKey())
                                .block(PATIENCE)
                                .code())
                        .isEqualTo("OPENING_NOT_FOUND");
            }
            Answer sixth =
                    booking(at, at("09:00"), 15, patient, Clinic.newKey()).block(PATIENCE);

            assertThat(sixth.code()).isEqualTo("RATE_LIMITED");
            assertThat(sixth.headers()).containsKey("Retry-After");
            assertThat(booking(at, at("09:00"), 15, Clinic.newPatient(), Clinic.newKey())
                            .block(PATIENCE)
                            .is(201))
                    .isTrue();
        }
    }

    private void cancelAll() {
        clinic.execute("""
                SELECT end_appointments(array_agg(id), 'clinic', 'test', now()) FROM appointment
                WHERE doctor_id = %d AND status = 'BOOKED'""".formatted(doctor));
    }

    private static void assertFitTogether(List<Answer> answers) {
        List<Map<String, Object>> won = answers.stream()
                .filter(answer -> answer.is(201))
                .map(Answer::body)
                .sorted(Comparator.comparing(body -> (String) body.get("startAt")))
                .toList();
        assertThat(won).isNotEmpty();
        for (int i = 1; i < won.size(); i++) {
            assertThat(Instant.parse((String) won.get(i).get("startAt")))
                    .isAfterOrEqualTo(Instant.parse((String) won.get(i - 1).get("endAt")));
        }
    }

    private void publish(LocalDate from, LocalDate to, String start, String end, String more) {
        publish(doctor, from, to, start, end, more);
    }

    private void publish(long of, LocalDate from, LocalDate to, String start, String end, String more) {
        Answer published = clinic.send(
                HttpMethod.POST,
                "/api/admin/doctors/" + of + "/schedules",
                Map.of("Content-Type", "application/json"),
                """
                {"fromDate": "%s", "toDate": "%s", "weekdays": ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY",
                 "SATURDAY", "SUNDAY"], "startTime": "%s", "endTime": "%s", "mode": "FLEXIBLE", %s}""".formatted(from, to, start, end, more));
        assertThat(published.is(201)).as("%s", published).isTrue();
    }

    private static Instant at(String time) {
        return at(DAY, time);
    }

    private static Instant at(LocalDate day, String time) {
        return day.atTime(java.time.LocalTime.parse(time)).atZone(BERLIN).toInstant();
    }

    private Answer book(Instant startAt, int minutes) {
        return booking(clinic, startAt, minutes, Clinic.newPatient(), Clinic.newKey())
                .block(PATIENCE);
    }

    private Mono<Answer> booking(Clinic at, Instant startAt, int minutes, long patient, String key) {
        return booking(at, doctor, startAt, minutes, patient, key);
    }

    private Mono<Answer> booking(Clinic at, long of, Instant startAt, int minutes, long patient, String key) {
        return at.calling(
                HttpMethod.POST,
                "/api/appointments",
                Map.of("Idempotency-Key", key),
                Map.of("doctorId", of, "startAt", startAt.toString(), "minutes", minutes, "patientId", patient));
    }

    private Answer move(long id, Instant startAt, int minutes) {
        return clinic.send(
                HttpMethod.PUT,
                "/api/appointments/" + id + "/opening",
                Map.of(),
                Map.of("startAt", startAt.toString(), "minutes", minutes));
    }

    private String path(LocalDate day, int minutes) {
        return "/api/doctors/" + doctor + "/openings?date=" + day + "&minutes=" + minutes;
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> list(LocalDate day, int minutes) {
        return (List<Map<String, Object>>) clinic.get(path(day, minutes)).body().getOrDefault("list", List.of());
    }

    private List<String> openings(LocalDate day, int minutes) {
        return list(day, minutes).stream()
                .map(opening -> Instant.parse((String) opening.get("startAt"))
                        .atZone(BERLIN)
                        .toLocalTime()
                        .toString())
                .toList();
    }
}
