package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.MutableClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

/** What a patient is told, for each thing that can become of a booking. */
@DaybreakTest
class BookingOutcomesTest {

    private static final Duration QUARTER = Duration.ofMinutes(15);

    @Autowired
    ApplicationContext service;

    @Autowired
    MutableClock clock;

    Clinic clinic;

    @BeforeEach
    void openTheClinic() {
        clinic = Clinic.at(service);
    }

    @AfterEach
    void letTimeGoOn() {
        clock.reset();
    }

    @Test
    void booksAFreeSeatAndSaysWhereTheAppointmentIsFound() {
        long slot = clinic.slot(2);
        long patient = Clinic.newPatient();

        Answer answer = clinic.book(slot, patient, Clinic.newKey());

        assertThat(answer.is(201)).as("%s", answer).isTrue();
        assertThat(answer.body())
                .containsEntry("slotId", (int) slot)
                .containsEntry("patientId", patient)
                .containsEntry("status", "BOOKED")
                .containsKeys("id", "doctorId", "startAt", "endAt", "createdAt")
                .doesNotContainKeys("cancelledAt", "cancelledBy", "cancelReason");
        assertThat(answer.headers()).containsEntry("Location", "/api/appointments/" + answer.id());
        assertThat(clinic.get(answer.headers().get("Location")).body())
                .containsAllEntriesOf(answer.body())
                .containsKey("history");
        assertThat(clinic.bookedCount(slot)).isEqualTo(clinic.active(slot)).isEqualTo(1);
        assertThat(clinic.events(slot)).isEqualTo(1);
    }

    @Test
    void refusesTheThirdPatientOfTwoSeats() {
        long slot = clinic.slot(2);

        assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).is(201))
                .isTrue();
        assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).is(201))
                .isTrue();
        Answer third = clinic.book(slot, Clinic.newPatient(), Clinic.newKey());

        assertRefused(third, 409, "SLOT_FULL", slot);
        assertThat(third.body()).containsEntry("remaining", 0);
        assertNothingMoreThan(2, slot);
    }

    @Test
    void tellsWhoeverComesLateWhichSlotIsFullAndWhatRemains() {
        long slot = clinic.slot(1);
        clinic.book(slot, Clinic.newPatient(), Clinic.newKey());

        Answer answer = clinic.book(slot, Clinic.newPatient(), Clinic.newKey());

        assertRefused(answer, 409, "SLOT_FULL", slot);
        assertThat(answer.body()).contains(entry("slotId", (int) slot), entry("remaining", 0));
    }

    @Test
    void refusesASecondSeatOfTheSameSlotToAPatient() {
        long slot = clinic.slot(5);
        long patient = Clinic.newPatient();
        clinic.book(slot, patient, Clinic.newKey());

        Answer second = clinic.book(slot, patient, Clinic.newKey());

        assertRefused(second, 409, "ALREADY_BOOKED", slot);
        assertNothingMoreThan(1, slot);
    }

    @Test
    void saysAlreadyBookedRatherThanFullToThePatientWhoHasTheLastSeat() {
        long slot = clinic.slot(1);
        long patient = Clinic.newPatient();
        clinic.book(slot, patient, Clinic.newKey());

        assertRefused(clinic.book(slot, patient, Clinic.newKey()), 409, "ALREADY_BOOKED", slot);
    }

    @Test
    void refusesAPatientWhoIsElsewhereAtThatTime() {
        Instant nine = Instant.now().plus(2, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS);
        Duration half = Duration.ofMinutes(30);
        long nineToHalfPast = clinic.slot(clinic.doctor(), nine, half, 5, Instant.EPOCH);
        long quarterPast = clinic.slot(clinic.doctor(), nine.plus(QUARTER), half, 5, Instant.EPOCH);
        long halfPast = clinic.slot(clinic.doctor(), nine.plus(half), half, 5, Instant.EPOCH);
        long patient = Clinic.newPatient();
        clinic.book(nineToHalfPast, patient, Clinic.newKey());

        assertRefused(clinic.book(quarterPast, patient, Clinic.newKey()), 409, "PATIENT_OVERLAP", quarterPast);
        assertNothingMoreThan(0, quarterPast);
        assertThat(clinic.book(halfPast, patient, Clinic.newKey()).is(201))
                .as("one appointment may follow the other at once")
                .isTrue();
    }

    @Test
    void refusesBeforeTheOpeningAndSaysWhenItIs() {
        Instant opening = Instant.now().plus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS);
        long slot = clinic.slot(clinic.doctor(), opening.plus(1, ChronoUnit.DAYS), QUARTER, 1, opening);

        clock.set(opening.minusMillis(1));
        Answer early = clinic.book(slot, Clinic.newPatient(), Clinic.newKey());
        assertRefused(early, 409, "SLOT_NOT_OPEN", slot);
        assertThat(early.body()).containsEntry("opensAt", opening.toString());

        clock.set(opening);
        assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).is(201))
                .isTrue();
        assertRefused(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()), 409, "SLOT_FULL", slot);
    }

    @Test
    void refusesASlotThatBeginsNowButNotASecondBefore() {
        Instant start = Instant.now().plus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MINUTES);
        long slot = clinic.slot(clinic.doctor(), start, 5);

        clock.set(start.minusSeconds(1));
        assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).is(201))
                .isTrue();

        for (Instant late : List.of(start, start.plusSeconds(1), start.plus(1, ChronoUnit.DAYS))) {
            clock.set(late);
            assertRefused(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()), 409, "SLOT_PAST", slot);
        }
        assertNothingMoreThan(1, slot);
    }

    @Test
    void refusesASlotTheClinicHasClosed() {
        long slot = clinic.slot(3);
        clinic.execute("UPDATE time_slot SET closed = true WHERE id = " + slot);

        assertRefused(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()), 409, "SLOT_CLOSED", slot);
        assertNothingMoreThan(0, slot);
    }

    @Test
    void knowsAnUnknownSlotFromATakenOne() {
        long taken = clinic.slot(1);
        clinic.book(taken, Clinic.newPatient(), Clinic.newKey());
        long unknown = 4_000_000_000_000_000L;

        assertRefused(clinic.book(unknown, Clinic.newPatient(), Clinic.newKey()), 404, "SLOT_NOT_FOUND", unknown);
        assertRefused(clinic.book(taken, Clinic.newPatient(), Clinic.newKey()), 409, "SLOT_FULL", taken);
    }

    @Test
    void showsAPatientNothingOfTheOthersInTheSlot() {
        long slot = clinic.slot(5);
        List<Long> others = List.of(Clinic.newPatient(), Clinic.newPatient(), Clinic.newPatient());
        others.forEach(other -> clinic.book(slot, other, Clinic.newKey()));
        long patient = Clinic.newPatient();
        String key = Clinic.newKey();

        List<Answer> answers = List.of(
                clinic.book(slot, patient, key),
                clinic.book(slot, patient, key),
                clinic.book(slot, patient, Clinic.newKey()),
                clinic.get("/api/patients/" + patient + "/appointments"));

        assertThat(answers)
                .extracting(Answer::toString)
                .allSatisfy(told -> assertThat(others).noneMatch(other -> told.contains(other.toString())));
    }

    @Test
    void speaksTheLanguageOfThePatient() {
        long slot = clinic.slot(1);
        clinic.book(slot, Clinic.newPatient(), Clinic.newKey());

        List<Object> details = Stream.of("en", "ko", "ja")
                .map(language -> clinic.send(
                                HttpMethod.POST,
                                "/api/appointments",
                                Map.of("Idempotency-Key", Clinic.newKey(), "Accept-Language", language),
                                Map.of("slotId", slot, "patientId", Clinic.newPatient()))
                        .body()
                        .get("detail"))
                .toList();

        assertThat(details).doesNotContainNull().doesNotHaveDuplicates();
    }

    private void assertNothingMoreThan(int seats, long slot) {
        assertThat(clinic.appointments(slot))
                .isEqualTo(seats)
                .isEqualTo(clinic.bookedCount(slot))
                .isEqualTo(clinic.events(slot));
    }

    private static void assertRefused(Answer answer, int status, String code, long slot) {
        assertThat(answer.status().value()).as("%s", answer).isEqualTo(status);
        assertThat(answer.headers()).containsEntry("Content-Type", "application/problem+json");
        assertThat(answer.body())
                .containsEntry("status", status)
                .containsEntry("code", code)
                .containsEntry(
                        "type", "/problems/" + code.toLowerCase(Locale.ROOT).replace('_', '-'))
                .containsEntry("instance", "/api/appointments")
                .hasEntrySatisfying(
                        "slotId", id -> assertThat(((Number) id).longValue()).isEqualTo(slot))
                .containsKeys("title", "detail", "timestamp")
                .doesNotContainKeys("patientId", "id", "trace", "exception");
    }
}
