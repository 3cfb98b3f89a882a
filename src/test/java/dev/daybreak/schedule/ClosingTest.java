package dev.daybreak.schedule;

import static dev.daybreak.schedule.ClinicJourney.schedule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
class ClosingTest {

    static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    static final LocalDate DAY = LocalDate.now(BERLIN).plusDays(3);

    @Autowired
    ApplicationContext service;

    Clinic clinic;
    ClinicJourney staff;
    long doctor;
    List<Long> slots;

    @BeforeEach
    void aDayOfFourSlots() {
        clinic = Clinic.at(service);
        staff = ClinicJourney.at(service);
        doctor = clinic.doctor();
        slots = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            slots.add(clinic.slot(doctor, at(DAY, 9).plus(Duration.ofMinutes(15L * i)), 2));
        }
    }

    @Test
    void closesADayAndOpensItAgain() {
        Answer closed = close(body(DAY, DAY, "Conference"));

        assertThat(closed.is(201)).isTrue();
        assertThat(closed.body())
                .containsEntry("from", DAY.toString())
                .containsEntry("to", DAY.toString())
                .containsEntry("closedSlots", 4)
                .containsEntry("cancelledAppointments", 0);
        assertThat(book(0).code()).isEqualTo("SLOT_CLOSED");
        assertThat(states("")).isEmpty();
        assertThat(states("&include=all")).containsOnly("CLOSED").hasSize(4);

        assertThat(reopen(closed.id()).is(204)).isTrue();
        assertThat(reopen(closed.id()).code()).isEqualTo("CLOSURE_NOT_FOUND");
        assertThat(states("")).containsOnly("OPEN").hasSize(4);
        assertThat(book(0).is(201)).isTrue();
    }

    @Test
    void closesWhatMeetsARangeAndNothingElse() {
        Instant from = at(DAY, 9).plus(Duration.ofMinutes(20));

        Answer closed = close(
                Map.of("from", from.toString(), "to", from.plusSeconds(600).toString()));

        assertThat(closed.body()).containsEntry("closedSlots", 1).containsEntry("from", from.toString());
        assertThat(closedSlots()).containsExactly(slots.get(1));
    }

    @Test
    void namesTheAppointmentsInTheWayAndChangesNothing() {
        long patient = Clinic.newPatient();
        long id = clinic.book(slots.get(1), patient, Clinic.newKey()).id();

        Answer refused = close(body(DAY, DAY, "Conference"));

        assertThat(refused.code()).isEqualTo("CLOSURE_AFFECTS_APPOINTMENTS");
        assertThat(refused.body()).containsEntry("count", 1);
        assertThat((Map<String, Object>) ((List<?>) refused.body().get("appointments")).getFirst())
                .containsEntry("id", (int) id)
                .containsEntry("slotId", slots.get(1).intValue())
                .containsEntry("patientId", patient)
                .containsEntry("startAt", at(DAY, 9).plusSeconds(900).toString())
                .containsEntry("status", "BOOKED");
        assertThat(closedSlots()).isEmpty();
        assertThat(closures()).isZero();
    }

    @Test
    void forceCancelsAndClosesInOneGo() {
        long first = book(0).id();
        long second = book(0).id();

        Answer closed = close(forced(DAY, "Doctor is ill"));

        assertThat(closed.is(201)).isTrue();
        assertThat(closed.body()).containsEntry("closedSlots", 4).containsEntry("cancelledAppointments", 2);
        assertThat(clinic.bookedCount(slots.getFirst())).isZero();
        assertThat(clinic.events(slots.getFirst())).isEqualTo(4);
        assertThat(clinic.get("/api/appointments/" + first).body())
                .containsEntry("status", "CANCELLED")
                .containsEntry("cancelledBy", "clinic")
                .containsEntry("cancelReason", "Doctor is ill");
        assertThat(clinic.number("SELECT count(*) FROM appointment WHERE id = " + second
                        + " AND history -> 0 ->> 'change' = 'CANCELLED' AND history -> 0 ->> 'by' = 'clinic'"))
                .isOne();
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void aDryRunSaysTheSameAndWritesNothing() {
        book(0);
        Map<String, Object> dry =
                Map.of("from", DAY.toString(), "to", DAY.toString(), "reason", "x", "force", true, "dryRun", true);

        Answer tried = close(dry);

        assertThat(tried.is(200)).isTrue();
        assertThat(tried.body()).containsEntry("closedSlots", 4).containsEntry("cancelledAppointments", 1);
        assertThat(tried.body()).doesNotContainKey("id");
        assertThat(close(Map.of("from", DAY.toString(), "to", DAY.toString(), "dryRun", true))
                        .code())
                .isEqualTo("CLOSURE_AFFECTS_APPOINTMENTS");
        assertThat(closedSlots()).isEmpty();
        assertThat(closures()).isZero();
        assertThat(clinic.active(slots.getFirst())).isOne();
    }

    @Test
    void theSameClosureMadeAgainIsTheSame() {
        Answer first = close(body(DAY, DAY, "Conference"));
        Answer again = close(body(DAY, DAY, "Conference"));

        assertThat(again.is(200)).isTrue();
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.body()).containsEntry("closedSlots", 0);
        assertThat(closures()).isOne();
    }

    @Test
    void whatHasEndedIsNotInTheWay() {
        clinic.cancel(book(0).id());
        long hold = book(1).id();
        clinic.execute(
                "UPDATE appointment SET status = 'HELD', hold_expires_at = now() - interval '1 minute' WHERE id = "
                        + hold);

        assertThat(close(body(DAY, DAY, "Conference")).body())
                .containsEntry("closedSlots", 4)
                .containsEntry("cancelledAppointments", 0);
        assertThat(clinic.get("/api/appointments/" + hold).body()).containsEntry("status", "EXPIRED");
        assertThat(clinic.bookedCount(slots.get(1))).isZero();
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void aLiveHoldIsInTheWay() {
        long hold = book(0).id();
        clinic.execute(
                "UPDATE appointment SET status = 'HELD', hold_expires_at = now() + interval '5 minutes' WHERE id = "
                        + hold);

        assertThat(close(body(DAY, DAY, "Conference")).code()).isEqualTo("CLOSURE_AFFECTS_APPOINTMENTS");
        assertThat(close(forced(DAY, "Conference")).body()).containsEntry("cancelledAppointments", 1);
    }

    @Test
    void aSlotThatWasClosedByHandStaysClosed() {
        staff.changeSlot(slots.get(2), "{\"closed\": true}").expectStatus().isOk();
        long id = close(body(DAY, DAY, "Conference")).id();

        reopen(id);

        assertThat(closedSlots()).containsExactly(slots.get(2));
    }

    @Test
    void aSlotInAClosureIsNotOpenedByHand() {
        long id = close(body(DAY, DAY, "Conference")).id();

        staff.changeSlot(slots.get(2), "{\"closed\": false}")
                .expectStatus()
                .isEqualTo(409)
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("SLOT_IN_CLOSURE")
                .jsonPath("$.closureId")
                .isEqualTo(id);
    }

    @Test
    void twoClosuresOpenWhatBothHaveLeft() {
        long day = close(body(DAY, DAY, "Conference")).id();
        Instant from = at(DAY, 9);
        long hour = close(Map.of(
                        "from", from.toString(), "to", from.plusSeconds(1800).toString()))
                .id();

        reopen(day);
        assertThat(closedSlots()).containsExactly(slots.get(0), slots.get(1));
        reopen(hour);
        assertThat(closedSlots()).isEmpty();
    }

    @Test
    void aChangedClosureIsCheckedLikeANewOne() {
        long id = close(body(DAY.plusDays(1), DAY.plusDays(1), "Conference")).id();
        book(0);

        assertThat(change(id, body(DAY, DAY, "Conference")).code()).isEqualTo("CLOSURE_AFFECTS_APPOINTMENTS");
        assertThat(closedSlots()).isEmpty();
        Answer changed = change(id, forced(DAY, "Holidays"));

        assertThat(changed.is(200)).isTrue();
        assertThat(changed.id()).isEqualTo(id);
        assertThat(changed.body()).containsEntry("cancelledAppointments", 1).containsEntry("reason", "Holidays");
        assertThat(closedSlots()).hasSize(4);
        assertThat(change(id, body(DAY.plusDays(1), DAY.plusDays(1), "Conference"))
                        .is(200))
                .isTrue();
        assertThat(closedSlots()).isEmpty();
        assertThat(change(id + 1_000_000, body(DAY, DAY, "x")).code()).isEqualTo("CLOSURE_NOT_FOUND");
    }

    @Test
    void slotsPublishedIntoAClosureAreClosed() {
        long id = close(body(DAY.plusDays(1), DAY.plusDays(1), "Conference")).id();
        staff.publishes(doctor, schedule(DAY + "/" + DAY.plusDays(1), "10:00-11:00", 30), 4, 0, 0);

        assertThat(closedSlots()).hasSize(2);
        reopen(id);
        assertThat(closedSlots()).isEmpty();
    }

    @Test
    void publishingAndClosingAtOnceLeaveNoOpenSlotInTheClosure() {
        for (int round = 0; round < 10; round++) {
            long other = clinic.doctor();
            Flux.merge(
                            Mono.fromCallable(() -> staff.publish(other, schedule(DAY + "/" + DAY, "08:00-18:00", 10)))
                                    .subscribeOn(reactor.core.scheduler.Schedulers.boundedElastic()),
                            Mono.fromCallable(() -> send(HttpMethod.POST, path(other), body(DAY, DAY, "x")))
                                    .subscribeOn(reactor.core.scheduler.Schedulers.boundedElastic()))
                    .blockLast(Duration.ofSeconds(30));

            assertThat(clinic.number("SELECT count(*) FROM time_slot WHERE NOT closed AND doctor_id = " + other))
                    .isZero();
            assertThat(clinic.number("SELECT count(*) FROM time_slot WHERE closed AND doctor_id = " + other))
                    .isEqualTo(60);
        }
    }

    @Test
    void bookingAndClosingAtOnceLeaveNobodyExpectedInTheClosure() {
        try (var second = TestServers.anotherInstance(service)) {
            Clinic elsewhere = Clinic.at(second);
            for (int round = 0; round < 15; round++) {
                long other = clinic.doctor();
                List<Long> times = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    times.add(clinic.slot(other, at(DAY, 9).plus(Duration.ofMinutes(15L * i)), 5));
                }
                List<Mono<Answer>> calls = new ArrayList<>();
                for (int i = 0; i < 24; i++) {
                    calls.add((i % 2 == 0 ? clinic : elsewhere)
                            .booking(times.get(i % 4), Clinic.newPatient(), Clinic.newKey()));
                }
                calls.add(
                        12,
                        Mono.fromCallable(() -> send(HttpMethod.POST, path(other), forced(DAY, "ill")))
                                .subscribeOn(reactor.core.scheduler.Schedulers.boundedElastic()));
                List<Answer> answers = Flux.merge(calls).collectList().block(Duration.ofSeconds(60));

                assertThat(answers)
                        .allSatisfy(answer -> assertThat(answer.is(201)
                                        || answer.code().equals("SLOT_CLOSED")
                                        || answer.code().equals("SLOT_FULL"))
                                .as("%s", answer)
                                .isTrue());
                assertThat(clinic.number("""
                                SELECT count(*) FROM appointment a JOIN time_slot s ON s.id = a.slot_id
                                WHERE s.doctor_id = %d AND (a.status = 'BOOKED' OR NOT s.closed)""".formatted(other))).isZero();
            }
        }
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void aClosingDayOfTheClinicConcernsEveryDoctor() {
        LocalDate day = DAY.plusDays(4_000);
        long other = clinic.doctor();
        clinic.slot(doctor, at(day, 9), 1);
        clinic.slot(other, at(day, 9), 1);

        Answer closed = send(HttpMethod.POST, "/api/admin/closures", body(day, day, "Staff outing"));

        assertThat(closed.is(201)).isTrue();
        assertThat(closed.body()).containsEntry("closedSlots", 2).doesNotContainKey("doctorId");
        assertThat(clinic.get("/api/admin/doctors/" + other + "/closures?from=" + day + "&to=" + day)
                        .body()
                        .toString())
                .contains("Staff outing");
        assertThat(clinic.get("/api/admin/closures?from=" + day).body().toString())
                .contains("Staff outing");
        assertThat(reopen(closed.id()).is(204)).isTrue();
        assertThat(clinic.number("SELECT count(*) FROM time_slot WHERE closed AND doctor_id = " + other))
                .isZero();
    }

    @Test
    void thousandsOfSlotsAreClosedAtOnceAndShowEverywhere() {
        LocalDate day = DAY.plusDays(4_100);
        clinic.execute("""
                WITH made AS (
                    INSERT INTO doctor (name, specialty) SELECT 'Dr. Many', 'many' FROM generate_series(1, 250) RETURNING id)
                INSERT INTO time_slot (doctor_id, start_at, end_at, capacity, opens_at)
                SELECT m.id, '%1$s'::timestamptz + n * interval '15 minutes', '%1$s'::timestamptz + (n + 1) * interval '15 minutes',
                       1, 'epoch'
                FROM made m, generate_series(0, 19) n""".formatted(at(day, 9)));
        long one = clinic.number("SELECT max(id) FROM doctor WHERE name = 'Dr. Many'");
        String list = "/api/doctors/" + one + "/slots?date=" + day;
        try (var second = TestServers.anotherInstance(service)) {
            Clinic elsewhere = Clinic.at(second);
            assertThat(offered(elsewhere, list)).isEqualTo(20);

            Answer closed = send(HttpMethod.POST, "/api/admin/closures", body(day, day, "Moving house"));

            assertThat(closed.body()).containsEntry("closedSlots", 5_000);
            assertThat(offered(clinic, list)).isZero();
            await().atMost(Duration.ofSeconds(3)).until(() -> offered(elsewhere, list) == 0);

            assertThat(reopen(closed.id()).is(204)).isTrue();
            assertThat(offered(clinic, list)).isEqualTo(20);
            await().atMost(Duration.ofSeconds(3)).until(() -> offered(elsewhere, list) == 20);
        }
    }

    private static int offered(Clinic at, String list) {
        return ((List<?>) at.get(list).body().getOrDefault("list", List.of())).size();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"from": "2030-05-02", "to": "2030-05-01"}                                              | to
            {"from": "2030-05-02", "to": "2030-05-03T00:00:00Z"}                                    | to
            {"from": "2030-05-02T09:00:00Z", "to": "2030-05-02T09:00:00Z"}                          | to
            {"from": "2030-05-02T09:00:00", "to": "2030-05-02T10:00:00Z"}                           | from
            {"from": "2030-05-02", "to": "2031-05-04"}                                              | to
            {"from": "1030-05-02", "to": "2030-05-02"}                                              | from
            {"from": "2030-05-02", "to": "2030-05-02", "force": true}                               | reason
            {"from": "2030-05-02"}                                                                  | to
            {"from": "tomorrow", "to": "2030-05-02"}                                                | from
            {"from": "2030-05-02", "to": "2030-05-02", "reasons": "x"}                              | reasons
            """)
    void aMistakeIsNamed(String body, String field) {
        staff.post(path(doctor), body)
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.violations.length()")
                .isEqualTo(1)
                .jsonPath("$.violations[0].field")
                .isEqualTo(field);
    }

    @Test
    void anUnknownDoctorIsNotFound() {
        assertThat(send(HttpMethod.POST, path(987654321), body(DAY, DAY, "x")).code())
                .isEqualTo("DOCTOR_NOT_FOUND");
        assertThat(clinic.get(path(987654321)).code()).isEqualTo("DOCTOR_NOT_FOUND");
    }

    private static Instant at(LocalDate day, int hour) {
        return day.atTime(hour, 0).atZone(BERLIN).toInstant();
    }

    private Answer book(int slot) {
        return clinic.book(slots.get(slot), Clinic.newPatient(), Clinic.newKey());
    }

    private Answer close(Map<String, Object> body) {
        return send(HttpMethod.POST, path(doctor), body);
    }

    private Answer change(long id, Map<String, Object> body) {
        return send(HttpMethod.PUT, "/api/admin/closures/" + id, body);
    }

    private Answer reopen(long id) {
        return send(HttpMethod.DELETE, "/api/admin/closures/" + id, null);
    }

    private Answer send(HttpMethod method, String path, Object body) {
        return clinic.send(method, path, Map.of(), body);
    }

    private static String path(long doctor) {
        return "/api/admin/doctors/" + doctor + "/closures";
    }

    private static Map<String, Object> body(LocalDate from, LocalDate to, String reason) {
        return Map.of("from", from.toString(), "to", to.toString(), "reason", reason);
    }

    private static Map<String, Object> forced(LocalDate day, String reason) {
        return Map.of("from", day.toString(), "to", day.toString(), "reason", reason, "force", true);
    }

    private List<String> states(String more) {
        Object list = clinic.get("/api/doctors/" + doctor + "/slots?date=" + DAY + more)
                .body()
                .getOrDefault("list", List.of());
        return ((List<?>) list)
                .stream()
                        .map(slot -> String.valueOf(((Map<?, ?>) slot).get("state")))
                        .toList();
    }

    private List<Long> closedSlots() {
        return staff.slots(doctor).stream().filter(Slot::closed).map(Slot::id).toList();
    }

    private long closures() {
        return clinic.number("SELECT count(*) FROM closure WHERE doctor_id = " + doctor);
    }
}
