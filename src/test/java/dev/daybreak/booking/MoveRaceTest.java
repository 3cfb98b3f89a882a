package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Crowds that change places at two instances on one database. */
@DaybreakTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MoveRaceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Autowired
    ApplicationContext here;

    ConfigurableApplicationContext there;
    List<Clinic> clinics;
    Clinic clinic;

    @BeforeAll
    void startAnotherInstance() {
        there = TestServers.anotherInstance(here);
        clinics = List.of(Clinic.at(here), Clinic.at(there));
        clinic = clinics.getFirst();
    }

    @AfterAll
    void stopIt() {
        there.close();
    }

    @AfterEach
    void nothingIsBroken() {
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void letsTwoHundredPatientsSwapAmongTwentyFullSlotsAndAFewFreeSeats() {
        List<Long> slots = clinic.slots(20, 10);
        List<Long> seats = new ArrayList<>(slots);
        clinic.slots(2, 3).forEach(seats::add);
        List<Long> ids = all(IntStream.range(0, 200)
                        .mapToObj(i -> at(i).booking(slots.get(i / 10), Clinic.newPatient(), Clinic.newKey()))
                        .toList())
                .stream()
                .map(Answer::id)
                .toList();
        var random = new Random(5);

        long moved = 0;
        for (int round = 0; round < 15; round++) {
            List<Mono<Answer>> moves = ids.stream()
                    .map(id -> at(random.nextInt(2)).moving(id, seats.get(random.nextInt(seats.size()))))
                    .toList();

            List<Answer> answers = all(moves);

            assertThat(answers)
                    .allMatch(
                            answer -> answer.is(200) || answer.code().equals("SLOT_FULL"),
                            "an outcome, never an error");
            moved += answers.stream().filter(answer -> answer.is(200)).count();
        }

        assertThat(moved).as("some found a seat").isGreaterThan(200);
        assertThat(seats)
                .allSatisfy(slot -> assertThat(clinic.bookedCount(slot)).isEqualTo(clinic.active(slot)));
        assertThat(seats.stream().mapToLong(clinic::active).sum()).isEqualTo(200);
    }

    @Test
    void showsEveryPatientTheSeatThatWasConfirmedLast() {
        List<Long> slots = clinic.slots(4, 50);
        List<Long> ids = all(IntStream.range(0, 40)
                        .mapToObj(i -> at(i).booking(slots.get(i % 4), Clinic.newPatient(), Clinic.newKey()))
                        .toList())
                .stream()
                .map(Answer::id)
                .toList();
        var random = new Random(9);

        List<Answer> last = all(ids.stream()
                .map(id -> Flux.range(0, 8)
                        .concatMap(i -> at(i).moving(id, slots.get(random.nextInt(4))))
                        .last())
                .toList());

        assertThat(last)
                .allMatch(answer -> answer.is(200))
                .allSatisfy(
                        answer -> assertThat(clinic.number("SELECT slot_id FROM appointment WHERE id = " + answer.id()))
                                .isEqualTo(((Number) answer.body().get("slotId")).longValue()));
    }

    /** In both directions at once, which locks in any other order than by id would not survive. */
    @Test
    void movesACrowdBetweenTwoSlotsInBothDirections() {
        List<Long> slots = clinic.slots(2, 200);
        List<Long> ids = all(IntStream.range(0, 100)
                        .mapToObj(i -> at(i).booking(slots.get(i % 2), Clinic.newPatient(), Clinic.newKey()))
                        .toList())
                .stream()
                .map(Answer::id)
                .toList();

        for (int round = 0; round < 10; round++) {
            int swap = round;
            assertThat(all(IntStream.range(0, 100)
                            .mapToObj(i -> at(i / 2).moving(ids.get(i), slots.get((i + swap + 1) % 2)))
                            .toList()))
                    .allMatch(answer -> answer.is(200));
        }

        assertThat(slots).allSatisfy(slot -> assertThat(clinic.active(slot)).isEqualTo(50));
    }

    @Test
    void putsNobodyInTwoPlacesAtOnceByMoving() {
        Instant start = Instant.now().plus(3, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS);
        long first = clinic.slot(clinic.doctor(), start, 100);
        long second = clinic.slot(clinic.doctor(), start.plus(Duration.ofMinutes(10)), 100);
        List<Long> apart = clinic.slots(2, 100);
        for (int round = 0; round < 40; round++) {
            long patient = Clinic.newPatient();
            long one = clinic.book(apart.get(0), patient, Clinic.newKey()).id();
            long other = clinic.book(apart.get(1), patient, Clinic.newKey()).id();

            List<Answer> answers = all(
                    List.of(clinics.get(0).moving(one, first), clinics.get(1).moving(other, second)));

            assertThat(answers).filteredOn(answer -> answer.is(200)).hasSize(1);
            assertThat(answers)
                    .filteredOn(answer -> answer.code().equals("PATIENT_OVERLAP"))
                    .hasSize(1);
        }
    }

    @Test
    void endsCancelledWithAllSeatsBackWhoeverIsFirst() {
        List<Long> slots = clinic.slots(6, 100);
        for (int round = 0; round < 40; round++) {
            long id = clinic.book(slots.get(round % 6), Clinic.newPatient(), Clinic.newKey())
                    .id();

            List<Answer> answers = all(List.of(
                    clinics.get(0).moving(id, slots.get((round + 1) % 6)),
                    clinics.get(1).cancelling(id),
                    clinics.get(1).moving(id, slots.get((round + 2) % 6)),
                    clinics.get(0).cancelling(id)));

            assertThat(answers)
                    .allMatch(answer ->
                            answer.is(200) || answer.is(204) || answer.code().equals("APPOINTMENT_NOT_BOOKED"));
        }

        assertThat(slots)
                .allSatisfy(
                        slot -> assertThat(clinic.bookedCount(slot)).isZero().isEqualTo(clinic.active(slot)));
    }

    @Test
    void sellsASeatThatIsMovedAwayFromOnceAndTheOneMovedToNever() {
        for (int round = 0; round < 20; round++) {
            List<Long> slots = clinic.slots(2, 1);
            long id = clinic.book(slots.get(0), Clinic.newPatient(), Clinic.newKey())
                    .id();

            List<Answer> answers = all(List.of(
                    clinics.get(0).moving(id, slots.get(1)),
                    clinics.get(1).booking(slots.get(1), Clinic.newPatient(), Clinic.newKey()),
                    clinics.get(1).booking(slots.get(0), Clinic.newPatient(), Clinic.newKey())));

            assertThat(answers)
                    .allMatch(answer ->
                            answer.status().is2xxSuccessful() || answer.code().equals("SLOT_FULL"));
            assertThat(slots.stream().mapToLong(clinic::active).sum())
                    .isEqualTo(1
                            + answers.stream().filter(answer -> answer.is(201)).count());
        }
    }

    private Clinic at(int number) {
        return clinics.get(Math.floorMod(number, clinics.size()));
    }

    private static <T> List<T> all(List<Mono<T>> calls) {
        return Flux.merge(Flux.fromIterable(calls), 256).collectList().block(PATIENCE);
    }
}
