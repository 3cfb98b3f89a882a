package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.MutableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Flux;

/** What an Idempotency-Key is worth: the same request, sent again at the worst time, finds what it made before. */
@DaybreakTest
class RetryingTest {

    @Autowired
    ApplicationContext service;

    @Autowired
    MutableClock clock;

    Clinic clinic;
    long patient;
    String key;

    @BeforeEach
    void aPatientWithAKey() {
        clinic = Clinic.at(service);
        patient = Clinic.newPatient();
        key = Clinic.newKey();
    }

    @AfterEach
    void letTimeGoOn() {
        clock.reset();
    }

    @Test
    void findsTheSameAppointment() {
        long slot = clinic.slot(3);
        Answer first = clinic.book(slot, patient, key);

        assertReplays(first, clinic.book(slot, patient, key));
        assertReplays(first, clinic.book(slot, patient, key));
        assertMadeOnce(slot);
    }

    @Test
    void findsTheLastSeatOfAFullSlot() {
        long slot = clinic.slot(1);
        Answer first = clinic.book(slot, patient, key);
        assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).code())
                .isEqualTo("SLOT_FULL");

        assertReplays(first, clinic.book(slot, patient, key));
    }

    @Test
    void findsTheAppointmentOfASlotClosedSince() {
        long slot = clinic.slot(1);
        Answer first = clinic.book(slot, patient, key);
        clinic.execute("UPDATE time_slot SET closed = true WHERE id = " + slot);

        assertReplays(first, clinic.book(slot, patient, key));
    }

    @Test
    void findsTheAppointmentOfASlotThatHasBegun() {
        long slot = clinic.slot(1);
        Answer first = clinic.book(slot, patient, key);
        clock.set(Instant.parse(first.body().get("startAt").toString()));

        assertReplays(first, clinic.book(slot, patient, key));
    }

    @Test
    void findsTheAppointmentOfASlotWhoseOpeningWasMoved() {
        long slot = clinic.slot(1);
        Answer first = clinic.book(slot, patient, key);
        clinic.execute("UPDATE time_slot SET opens_at = start_at WHERE id = " + slot);

        assertReplays(first, clinic.book(slot, patient, key));
    }

    @Test
    void refusesTheKeyForAnotherSlot() {
        List<Long> slots = clinic.slots(2, 1);
        clinic.book(slots.get(0), patient, key);

        assertRevealsNothing(clinic.book(slots.get(1), patient, key));
        assertThat(clinic.appointments(slots.get(1))).isZero();
    }

    @Test
    void refusesTheKeyForAnotherSlotEvenIfThatOneIsFullClosedOrUnknown() {
        List<Long> slots = clinic.slots(3, 1);
        clinic.book(slots.get(0), patient, key);
        clinic.book(slots.get(1), Clinic.newPatient(), Clinic.newKey());
        clinic.execute("UPDATE time_slot SET closed = true WHERE id = " + slots.get(2));

        assertRevealsNothing(clinic.book(slots.get(1), patient, key));
        assertRevealsNothing(clinic.book(slots.get(2), patient, key));
        assertRevealsNothing(clinic.book(4_000_000_000_000_000L, patient, key));
    }

    @Test
    void refusesTheKeyOfAnotherPatientAndRevealsNothing() {
        long slot = clinic.slot(3);
        clinic.book(slot, patient, key);

        Answer answer = clinic.book(slot, Clinic.newPatient(), key);

        assertRevealsNothing(answer);
        assertThat(answer.toString()).doesNotContain(Long.toString(patient));
        assertMadeOnce(slot);
    }

    @Test
    void tellsKeysApartByEveryCharacter() {
        long slot = clinic.slot(5);
        String letters = "Key-" + Clinic.newKey().toLowerCase(Locale.ROOT);

        Answer first = clinic.book(slot, patient, letters);
        Answer second = clinic.book(slot, Clinic.newPatient(), letters.replace("Key", "key"));

        assertThat(first.is(201)).isTrue();
        assertThat(second.is(201)).as("%s", second).isTrue();
    }

    @Test
    void remembersNoRefusal() {
        long slot = clinic.slot(1);
        Answer holder = clinic.book(slot, Clinic.newPatient(), Clinic.newKey());
        assertThat(clinic.book(slot, patient, key).code()).isEqualTo("SLOT_FULL");

        clinic.cancel(holder.id());

        assertThat(clinic.book(slot, patient, key).is(201)).isTrue();
    }

    @Test
    void mayUseTheKeyOfARefusalForAnotherSlot() {
        List<Long> slots = clinic.slots(2, 1);
        clinic.book(slots.get(0), Clinic.newPatient(), Clinic.newKey());
        assertThat(clinic.book(slots.get(0), patient, key).code()).isEqualTo("SLOT_FULL");

        assertThat(clinic.book(slots.get(1), patient, key).is(201)).isTrue();
    }

    @RepeatedTest(10)
    void answersTwoIdenticalRequestsAtOnceWithOneAppointment() {
        long slot = clinic.slot(1);

        List<Answer> answers = Flux.merge(clinic.booking(slot, patient, key), clinic.booking(slot, patient, key))
                .collectList()
                .block(Duration.ofSeconds(20));

        assertThat(answers).allMatch(answer -> answer.is(201) || answer.is(200));
        assertThat(answers.stream().map(Answer::id).distinct()).hasSize(1);
        assertMadeOnce(slot);
    }

    private void assertMadeOnce(long slot) {
        assertThat(clinic.appointments(slot))
                .isEqualTo(1)
                .isEqualTo(clinic.bookedCount(slot))
                .isEqualTo(clinic.events(slot));
    }

    private static void assertReplays(Answer first, Answer again) {
        assertThat(first.is(201)).as("%s", first).isTrue();
        assertThat(again.is(200)).as("%s", again).isTrue();
        assertThat(again.body()).isEqualTo(first.body());
    }

    private static void assertRevealsNothing(Answer answer) {
        assertThat(answer.is(422)).as("%s", answer).isTrue();
        assertThat(answer.code()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
        assertThat(answer.body())
                .containsOnlyKeys("type", "title", "status", "detail", "instance", "code", "timestamp");
    }
}
