package dev.daybreak.schedule;

import static dev.daybreak.schedule.ClinicJourney.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

@DaybreakTest
class ReschedulingTest {

    static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    static final LocalDate DAY = LocalDate.now(BERLIN).plusDays(3);
    static final List<String> ALL_DAYS =
            List.of("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY");

    @Autowired
    ApplicationContext service;

    Clinic clinic;
    ClinicJourney staff;
    long doctor;
    long scheduleId;

    @BeforeEach
    void aMorningOfSixSlots() {
        clinic = Clinic.at(service);
        staff = ClinicJourney.at(service);
        doctor = clinic.doctor();
        staff.publishes(doctor, schedule(DAY + "/" + DAY, "09:00-12:00", 30), 6, 0, 0);
        scheduleId = clinic.number("SELECT id FROM schedule WHERE doctor_id = " + doctor);
    }

    @Test
    void shorteningADayNamesBothBookedSlotsAndChangesNothing() {
        book("11:00");
        book("11:30");
        book("09:00");

        Answer refused = change("09:00", "11:00", Map.of());

        assertThat(refused.code()).isEqualTo("SCHEDULE_AFFECTS_APPOINTMENTS");
        assertThat(refused.body()).containsEntry("count", 2);
        assertThat((List<?>) refused.body().get("appointments")).hasSize(2);
        assertThat(open()).isEqualTo(6);
    }

    @Test
    void shorteningADayByForceCancelsWhatDoesNotFit() {
        long late = book("11:00");
        long early = book("09:00");
        Map<String, Object> dry = Map.of("force", true, "reason", "School run", "dryRun", true);

        assertThat(change("09:00", "11:00", dry).body())
                .containsEntry("withdrawnSlots", 2)
                .containsEntry("cancelledAppointments", 1);
        assertThat(open()).isEqualTo(6);
        Answer changed = change("09:00", "11:00", Map.of("force", true, "reason", "School run"));

        assertThat(changed.is(200)).as("%s", changed).isTrue();
        assertThat(changed.body()).containsEntry("withdrawnSlots", 2).containsEntry("cancelledAppointments", 1);
        assertThat(clinic.get("/api/appointments/" + late).body())
                .containsEntry("status", "CANCELLED")
                .containsEntry("cancelReason", "School run");
        assertThat(clinic.get("/api/appointments/" + early).body()).containsEntry("status", "BOOKED");
        assertThat(open()).isEqualTo(4);
        assertThat(clinic.book(slotAt("11:30"), Clinic.newPatient(), Clinic.newKey())
                        .code())
                .isEqualTo("SLOT_CLOSED");
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void lengtheningADayMakesSlotsAndBringsBackThoseThatWereWithdrawn() {
        change("09:00", "11:00", Map.of());

        Answer changed = change("08:00", "12:00", Map.of());

        assertThat(changed.body()).containsEntry("createdSlots", 4).containsEntry("withdrawnSlots", 0);
        assertThat(open()).isEqualTo(8);
    }

    @Test
    void anEndedScheduleGivesItsTimeToAnother() {
        assertThat(end("").body()).containsEntry("withdrawnSlots", 6);

        assertThat(open()).isZero();
        assertThat(end("").code()).isEqualTo("SCHEDULE_NOT_FOUND");
        staff.publishes(doctor, schedule(DAY + "/" + DAY, "09:00-12:00", 60), 3, 0, 0);
        assertThat(open()).isEqualTo(3);
        assertThat(staff.slots(doctor).stream().filter(slot -> !slot.closed()))
                .allSatisfy(slot ->
                        assertThat(slot.endAt()).isEqualTo(slot.startAt().plusSeconds(3600)));
    }

    @Test
    void endingAScheduleWithAppointmentsNeedsForceAndAReason() {
        long id = book("09:00");

        assertThat(end("").code()).isEqualTo("SCHEDULE_AFFECTS_APPOINTMENTS");
        assertThat(end("?force=true").is(400)).isTrue();
        assertThat(end("?force=true&reason=Moved").body()).containsEntry("cancelledAppointments", 1);
        assertThat(clinic.get("/api/appointments/" + id).body()).containsEntry("cancelReason", "Moved");
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void aStandingScheduleCanBeGivenAnEnd() {
        long other = clinic.doctor();
        LocalDate today = LocalDate.now(BERLIN);
        staff.publish(other, schedule(today.toString(), "09:00-10:00", 30))
                .expectStatus()
                .isCreated();
        long standing = clinic.number("SELECT id FROM schedule WHERE doctor_id = " + other);

        Answer changed = send(HttpMethod.PUT, standing, body("09:00", "10:00", DAY, Map.of()));

        assertThat(changed.is(200)).as("%s", changed).isTrue();
        assertThat(staff.slots(other).stream()
                        .filter(slot -> !slot.closed())
                        .map(slot -> LocalDate.ofInstant(slot.startAt(), BERLIN)))
                .isNotEmpty()
                .allSatisfy(day -> assertThat(day).isBeforeOrEqualTo(DAY));
    }

    @Test
    void changedHoursAreCheckedAgainstTheOthers() {
        staff.publishes(doctor, schedule(DAY + "/" + DAY, "13:00-15:00", 20), 6, 0, 0);

        assertThat(change("09:00", "14:00", Map.of()).code()).isEqualTo("SCHEDULE_OVERLAP");
        assertThat(send(HttpMethod.PUT, scheduleId, body("09:00", "12:00", DAY.minusDays(1), Map.of()))
                        .is(400))
                .isTrue();
        assertThat(send(HttpMethod.PUT, 987654321, body("09:00", "12:00", DAY, Map.of()))
                        .code())
                .isEqualTo("SCHEDULE_NOT_FOUND");
    }

    @Test
    void whatAnotherScheduleAsksForTooStays() {
        staff.publishes(doctor, schedule(DAY + "/" + DAY.plusDays(1), "09:00-12:00", 30), 6, 6, 0);

        assertThat(end("").body()).containsEntry("withdrawnSlots", 0);
        assertThat(open()).isEqualTo(12);
    }

    @Test
    void aFlexibleScheduleEndsWithItsAppointments() {
        long other = clinic.doctor();
        staff.publish(other, """
                        {"fromDate": "%s", "toDate": "%s", "weekdays": ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY",
                         "FRIDAY", "SATURDAY", "SUNDAY"], "startTime": "09:00", "endTime": "12:00",
                         "mode": "FLEXIBLE"}""".formatted(DAY, DAY)).expectStatus().isCreated();
        long flexible = clinic.number("SELECT id FROM schedule WHERE doctor_id = " + other);
        Answer booked = clinic.send(
                HttpMethod.POST,
                "/api/appointments",
                Map.of("Idempotency-Key", Clinic.newKey()),
                Map.of(
                        "doctorId",
                        other,
                        "startAt",
                        at("11:00").toString(),
                        "minutes",
                        30,
                        "patientId",
                        Clinic.newPatient()));

        assertThat(send(HttpMethod.PUT, flexible, body("09:00", "11:15", DAY, Map.of()))
                        .code())
                .isEqualTo("SCHEDULE_AFFECTS_APPOINTMENTS");
        assertThat(send(HttpMethod.PUT, flexible, body("10:00", "11:30", DAY, Map.of()))
                        .is(200))
                .isTrue();
        assertThat(clinic.send(HttpMethod.DELETE, path(flexible) + "?force=true&reason=Moved", Map.of(), null)
                        .body())
                .containsEntry("cancelledAppointments", 1);
        assertThat(clinic.get("/api/appointments/" + booked.id()).body()).containsEntry("status", "CANCELLED");
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    private Answer change(String start, String end, Map<String, Object> more) {
        return send(HttpMethod.PUT, scheduleId, body(start, end, DAY, more));
    }

    private static Map<String, Object> body(String start, String end, LocalDate toDate, Map<String, Object> more) {
        var body = new HashMap<String, Object>(
                Map.of("toDate", toDate.toString(), "weekdays", ALL_DAYS, "startTime", start, "endTime", end));
        body.putAll(more);
        return body;
    }

    private Answer end(String terms) {
        return clinic.send(HttpMethod.DELETE, path(scheduleId) + terms, Map.of(), null);
    }

    private Answer send(HttpMethod method, long id, Object body) {
        return clinic.send(method, path(id), Map.of(), body);
    }

    private static String path(long id) {
        return "/api/admin/schedules/" + id;
    }

    private long book(String time) {
        return clinic.book(slotAt(time), Clinic.newPatient(), Clinic.newKey()).id();
    }

    private long slotAt(String time) {
        return clinic.number(
                "SELECT id FROM time_slot WHERE doctor_id = %d AND start_at = '%s'".formatted(doctor, at(time)));
    }

    private static Instant at(String time) {
        return DAY.atTime(java.time.LocalTime.parse(time)).atZone(BERLIN).toInstant();
    }

    private long open() {
        return clinic.number("SELECT count(*) FROM time_slot WHERE NOT closed AND doctor_id = " + doctor);
    }
}
