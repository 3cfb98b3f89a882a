package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What a clinic allows its patients, at two instances with the same settings. */
@DaybreakTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClinicLimitsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @Autowired
    ApplicationContext unlimited;

    ConfigurableApplicationContext first;
    ConfigurableApplicationContext second;
    Clinic clinic;
    Clinic elsewhere;

    @BeforeAll
    void startTwoInstances() {
        first = limited();
        second = limited();
        clinic = Clinic.at(first);
        elsewhere = Clinic.at(second);
    }

    private ConfigurableApplicationContext limited() {
        return TestServers.anotherInstance(
                unlimited,
                "daybreak.booking.max-active=3",
                "daybreak.booking.latest-cancel=2h",
                "daybreak.booking.latest-move=3h");
    }

    @AfterAll
    void stopThem() {
        first.close();
        second.close();
    }

    @AfterEach
    void nothingIsBroken() {
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @RepeatedTest(3)
    void letAPatientHaveThreeOfFortySlotsAskedForAtOnce() {
        List<Long> slots = clinic.slots(40, 1);
        long patient = Clinic.newPatient();

        List<Answer> answers = Flux.merge(
                        Flux.range(0, 40)
                                .map(i -> i % 3 == 0
                                        ? at(i).holding(slots.get(i), patient, Clinic.newKey())
                                        : at(i).booking(slots.get(i), patient, Clinic.newKey())),
                        40)
                .collectList()
                .block(PATIENCE);

        assertThat(answers).filteredOn(answer -> answer.is(201)).hasSize(3);
        assertThat(answers).filteredOn(answer -> !answer.is(201)).hasSize(37).allSatisfy(answer -> {
            assertThat(answer.code()).as("%s", answer).isEqualTo("BOOKING_LIMIT");
            assertThat(answer.body()).containsEntry("limit", 3);
        });
        assertThat(active(patient)).isEqualTo(3);
    }

    @Test
    void countWhatIsAheadAndNotWhatHasEndedOrBegun() {
        List<Long> slots = clinic.slots(6, 2);
        long patient = Clinic.newPatient();
        String key = Clinic.newKey();
        Answer booked = clinic.book(slots.get(0), patient, key);
        Answer held = clinic.hold(slots.get(1), patient, Clinic.newKey());
        clinic.book(slots.get(2), patient, Clinic.newKey());

        assertThat(clinic.book(slots.get(3), patient, Clinic.newKey()).code()).isEqualTo("BOOKING_LIMIT");
        assertThat(clinic.hold(slots.get(3), patient, Clinic.newKey()).code()).isEqualTo("BOOKING_LIMIT");
        assertThat(clinic.book(slots.get(0), patient, key).is(200))
                .as("a retry")
                .isTrue();
        assertThat(clinic.book(slots.get(0), patient, Clinic.newKey()).code()).isEqualTo("ALREADY_BOOKED");
        assertThat(clinic.confirm(held.id(), held.token()).is(200))
                .as("a confirmation")
                .isTrue();
        assertThat(clinic.book(slots.get(3), Clinic.newPatient(), Clinic.newKey())
                        .is(201))
                .as("somebody else")
                .isTrue();

        clinic.cancel(booked.id());
        assertThat(clinic.book(slots.get(3), patient, Clinic.newKey()).is(201)).isTrue();
        assertThat(clinic.book(slots.get(4), patient, Clinic.newKey()).code()).isEqualTo("BOOKING_LIMIT");
        Instant begun = Instant.now().minusSeconds(60);
        clinic.execute("UPDATE appointment SET start_at = '%s', end_at = '%s' WHERE patient_id = %d AND slot_id = %d"
                .formatted(begun, begun.plusSeconds(900), patient, slots.get(3)));
        assertThat(clinic.book(slots.get(4), patient, Clinic.newKey()).is(201)).isTrue();
    }

    @Test
    void forgetAHoldOnceItHasExpired() {
        List<Long> slots = clinic.slots(4, 1);
        long patient = Clinic.newPatient();
        IntStream.range(0, 3).forEach(i -> clinic.hold(slots.get(i), patient, Clinic.newKey()));
        assertThat(clinic.book(slots.get(3), patient, Clinic.newKey()).code()).isEqualTo("BOOKING_LIMIT");

        clinic.execute(
                "UPDATE appointment SET hold_expires_at = now() - interval '1 ms' WHERE slot_id = " + slots.get(1));

        assertThat(clinic.book(slots.get(3), patient, Clinic.newKey()).is(201)).isTrue();
    }

    @Test
    void letPatientsCancelUntilTwoHoursBeforeAndStaffAlways() {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Answer early = bookedAt(now.plus(Duration.ofMinutes(125)));
        Answer late = bookedAt(now.plus(Duration.ofMinutes(119)));

        assertThat(clinic.cancel(early.id()).is(204)).isTrue();
        Answer refused = clinic.cancel(late.id());

        assertThat(refused.is(409)).as("%s", refused).isTrue();
        assertThat(refused.code()).isEqualTo("TOO_LATE");
        assertThat(refused.body())
                .containsEntry("until", now.minus(Duration.ofMinutes(1)).toString());
        assertThat(clinic.get("/api/appointments/" + late.id()).body()).containsEntry("status", "BOOKED");

        var byStaff = new Cancellation(late.id(), "staff", "doctor is ill");
        assertThat(first.getBean(Booking.class).cancel(byStaff).block(PATIENCE))
                .isEqualTo(Cancellation.Outcome.CANCELLED);
        assertThat(clinic.cancel(late.id()).is(204)).as("it has ended").isTrue();
    }

    @Test
    void letPatientsMoveUntilThreeHoursBefore() {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Answer early = bookedAt(now.plus(Duration.ofMinutes(185)));
        Answer late = bookedAt(now.plus(Duration.ofMinutes(179)));
        long other = clinic.slot(2);

        assertThat(clinic.move(early.id(), other).is(200)).isTrue();
        Answer refused = clinic.move(late.id(), other);

        assertThat(refused.code()).as("%s", refused).isEqualTo("TOO_LATE");
        assertThat(refused.body())
                .containsEntry("until", now.minus(Duration.ofMinutes(1)).toString());
    }

    @RepeatedTest(3)
    void countTimesOfFlexibleDoctorsToo() {
        LocalDate day = LocalDate.now(BERLIN).plusDays(5);
        long doctor = flexibleDoctor(day);
        Instant nine = day.atTime(9, 0).atZone(BERLIN).toInstant();
        List<Long> slots = clinic.slots(10, 1);
        long patient = Clinic.newPatient();

        List<Answer> answers = Flux.merge(
                        Flux.range(0, 20)
                                .map(i -> i < 10
                                        ? at(i).booking(slots.get(i), patient, Clinic.newKey())
                                        : opening(at(i), doctor, nine.plusSeconds(900L * i), patient)),
                        20)
                .collectList()
                .block(PATIENCE);

        assertThat(answers).filteredOn(answer -> answer.is(201)).hasSize(3);
        assertThat(answers).filteredOn(answer -> !answer.is(201)).allSatisfy(answer -> {
            assertThat(answer.code()).as("%s", answer).isEqualTo("BOOKING_LIMIT");
            assertThat(answer.body()).containsEntry("limit", 3);
        });
        assertThat(active(patient)).isEqualTo(3);
    }

    @Test
    void letPatientsMoveATimeOfAFlexibleDoctorUntilThreeHoursBefore() {
        LocalDate day = LocalDate.now(BERLIN).plusDays(5);
        long doctor = flexibleDoctor(day);
        Instant nine = day.atTime(9, 0).atZone(BERLIN).toInstant();
        Answer booked = opening(clinic, doctor, nine, Clinic.newPatient()).block(PATIENCE);
        assertThat(moved(booked, nine.plusSeconds(900)).is(200)).isTrue();
        Instant soon = Instant.now().plus(Duration.ofMinutes(179)).truncatedTo(ChronoUnit.SECONDS);
        clinic.execute("UPDATE appointment SET start_at = '%s', end_at = '%s' WHERE id = %d"
                .formatted(soon, soon.plusSeconds(900), booked.id()));

        Answer refused = moved(booked, nine);

        assertThat(refused.code()).as("%s", refused).isEqualTo("TOO_LATE");
        assertThat(refused.body())
                .containsEntry("until", soon.minus(Duration.ofHours(3)).toString());
    }

    private long flexibleDoctor(LocalDate day) {
        long doctor = clinic.doctor();
        Answer published = clinic.send(
                HttpMethod.POST,
                "/api/admin/doctors/" + doctor + "/schedules",
                Map.of(),
                Map.of(
                        "fromDate",
                        day.toString(),
                        "toDate",
                        day.toString(),
                        "weekdays",
                        List.of(day.getDayOfWeek().name()),
                        "startTime",
                        "09:00",
                        "endTime",
                        "18:00",
                        "mode",
                        "FLEXIBLE"));
        assertThat(published.is(201)).as("%s", published).isTrue();
        return doctor;
    }

    private static Mono<Answer> opening(Clinic at, long doctor, Instant startAt, long patient) {
        return at.calling(
                HttpMethod.POST,
                "/api/appointments",
                Map.of("Idempotency-Key", Clinic.newKey()),
                Map.of("doctorId", doctor, "startAt", startAt.toString(), "minutes", 15, "patientId", patient));
    }

    private Answer moved(Answer booked, Instant startAt) {
        return clinic.send(
                HttpMethod.PUT,
                "/api/appointments/" + booked.id() + "/opening",
                Map.of(),
                Map.of("startAt", startAt.toString(), "minutes", 15));
    }

    private Answer bookedAt(Instant start) {
        Answer booked = clinic.book(clinic.slot(clinic.doctor(), start, 1), Clinic.newPatient(), Clinic.newKey());
        assertThat(booked.is(201)).as("%s", booked).isTrue();
        return booked;
    }

    private long active(long patient) {
        return clinic.number(
                "SELECT count(*) FROM appointment WHERE status IN ('HELD', 'BOOKED') AND patient_id = " + patient);
    }

    private Clinic at(int number) {
        return number % 2 == 0 ? clinic : elsewhere;
    }
}
