package dev.daybreak.availability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.MutableClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

@DaybreakTest
class FreeDaysTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final LocalDate DAY = LocalDate.now(BERLIN).plusDays(3);
    private static final Duration SOON = Duration.ofSeconds(10);

    @Autowired
    ApplicationContext service;

    @Autowired
    MutableClock clock;

    Clinic clinic;
    long doctor;

    @BeforeEach
    void aDoctor() {
        clinic = Clinic.at(service);
        doctor = clinic.doctor();
    }

    @AfterEach
    void goOnWithTime() {
        clock.reset();
    }

    private static Instant at(LocalDate day, String time) {
        return day.atTime(LocalTime.parse(time)).atZone(BERLIN).toInstant();
    }

    private Answer ask(LocalDate from, LocalDate to) {
        return clinic.get("/api/doctors/" + doctor + "/days?from=" + from + "&to=" + to);
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> days(LocalDate from, LocalDate to) {
        return (List<Map<String, Object>>) ask(from, to).body().get("list");
    }

    @Test
    void countsTheFreeSeatsOfEachDayOfTheClinic() {
        long morning = clinic.slot(doctor, at(DAY, "09:00"), 5);
        clinic.slot(doctor, at(DAY, "23:45"), 2);
        clinic.slot(doctor, at(DAY.plusDays(1), "00:15"), 1);
        clinic.book(morning, Clinic.newPatient(), Clinic.newKey());
        clinic.book(morning, Clinic.newPatient(), Clinic.newKey());

        assertThat(days(DAY, DAY.plusDays(5)))
                .containsExactly(
                        Map.of("date", DAY.toString(), "slots", 2, "free", 5),
                        Map.of("date", DAY.plusDays(1).toString(), "slots", 1, "free", 1));
        assertThat(days(DAY.plusDays(1), DAY.plusDays(1))).hasSize(1);
        assertThat(days(DAY.plusDays(7), DAY.plusDays(9))).isEmpty();
    }

    @Test
    void leavesOutWhatIsPastOrClosedAndSaysWhenTheRestOpens() {
        Instant opens = clock.instant().plus(2, ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS);
        clinic.execute("UPDATE time_slot SET closed = true WHERE id = " + clinic.slot(doctor, at(DAY, "09:00"), 5));
        clinic.slot(doctor, at(DAY, "10:00"), Duration.ofMinutes(15), 3, opens.plusSeconds(60));
        clinic.slot(doctor, at(DAY, "11:00"), Duration.ofMinutes(15), 3, opens);

        assertThat(days(DAY, DAY))
                .containsExactly(Map.of("date", DAY.toString(), "slots", 2, "free", 0, "opensAt", opens.toString()));

        clock.set(at(DAY, "10:30"));
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertThat(days(DAY, DAY))
                        .containsExactly(Map.of("date", DAY.toString(), "slots", 1, "free", 3)));
    }

    @Test
    void followsABookingWithinASecondOrTwoAndCountsAnExpiredHoldAsFree() {
        long slot = clinic.slot(doctor, at(DAY, "09:00"), 1);
        assertThat(days(DAY, DAY)).singleElement().extracting("free").isEqualTo(1);

        clinic.hold(slot, Clinic.newPatient(), Clinic.newKey());
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertThat(days(DAY, DAY))
                        .singleElement()
                        .extracting("free")
                        .isEqualTo(0));

        clock.advance(Duration.ofMinutes(6));
        Awaitility.await()
                .atMost(SOON)
                .untilAsserted(() -> assertThat(days(DAY, DAY))
                        .singleElement()
                        .extracting("free")
                        .isEqualTo(1));
    }

    @ParameterizedTest
    @CsvSource({
        "from=2026-10-12,                       to,   required",
        "from=2026-10-12&to=2026-10-11,         to,   date-order",
        "from=2026-10-12&to=2026-11-23,         to,   period",
        "from=12.10.2026&to=2026-10-13,         from, date"
    })
    void saysWhatIsWrongWithTheRange(String query, String field, String rule) {
        Answer answer = clinic.get("/api/doctors/" + doctor + "/days?" + query);

        assertThat(answer.is(400)).as("%s", answer).isTrue();
        assertThat(answer.body().get("violations").toString()).contains("field=" + field, "rule=" + rule);
    }

    @Test
    void doesNotKnowADoctorWhoIsNotThere() {
        assertThat(clinic.get("/api/doctors/999999999/days?from=2026-10-12&to=2026-10-13")
                        .code())
                .isEqualTo("DOCTOR_NOT_FOUND");
    }

    @Test
    void tellsTheClinicsZoneAndClock() {
        clock.set(Instant.parse("2026-10-05T06:12:00Z"));

        assertThat(clinic.get("/api/clinic").body())
                .containsEntry("zone", "Europe/Berlin")
                .containsEntry("openingTime", "07:00")
                .containsEntry("openingDays", 14)
                .containsEntry("now", "2026-10-05T06:12:00Z");
    }
}
