package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Random;
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
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Crowds that hold, confirm and release at two instances while their sweepers run; the committed rows decide. */
@DaybreakTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HoldRaceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Autowired
    ApplicationContext here;

    ConfigurableApplicationContext there;
    List<Clinic> clinics;
    List<HoldSweeper> sweepers;
    Clinic clinic;

    @BeforeAll
    void startAnotherInstance() {
        there = TestServers.anotherInstance(here);
        clinics = List.of(Clinic.at(here), Clinic.at(there));
        sweepers = List.of(here.getBean(HoldSweeper.class), there.getBean(HoldSweeper.class));
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

    @RepeatedTest(3)
    void givesThreeSeatsToThreeOfTwoHundredPatientsAThirdOfWhomHoldFirst() {
        long slot = clinic.slot(3);

        List<Answer> answers = all(IntStream.range(0, 200)
                .mapToObj(i -> i % 3 == 0 ? heldAndConfirmed(i, slot) : booked(i, slot))
                .toList());

        assertThat(answers)
                .filteredOn(answer -> answer.is(200) || answer.is(201))
                .hasSize(3)
                .allSatisfy(answer -> assertThat(answer.body()).containsEntry("status", "BOOKED"));
        assertThat(answers)
                .filteredOn(answer -> answer.is(409))
                .hasSize(197)
                .allSatisfy(answer -> assertThat(answer.code()).isEqualTo("SLOT_FULL"));
        assertThat(clinic.active(slot)).isEqualTo(3).isEqualTo(clinic.bookedCount(slot));
    }

    @RepeatedTest(5)
    void hasASeatForEachOfTenPatientsWhetherTheyHoldOrBook() {
        long slot = clinic.slot(10);

        List<Answer> answers = all(IntStream.range(0, 10)
                .mapToObj(i -> i % 2 == 0 ? heldAndConfirmed(i, slot) : booked(i, slot))
                .toList());

        assertThat(answers).allMatch(answer -> answer.is(200) || answer.is(201), "got a seat");
        assertThat(clinic.active(slot)).isEqualTo(10).isEqualTo(clinic.bookedCount(slot));
    }

    @RepeatedTest(5)
    void holdsTheLastSeatForOneOfTwo() {
        long slot = clinic.slot(1);

        List<Answer> answers = all(IntStream.range(0, 2)
                .mapToObj(i -> at(i).holding(slot, Clinic.newPatient(), Clinic.newKey()))
                .toList());

        assertThat(answers).filteredOn(answer -> answer.is(201)).hasSize(1);
        assertThat(answers)
                .filteredOn(answer -> answer.code().equals("SLOT_FULL"))
                .hasSize(1);
        assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).code())
                .isEqualTo("SLOT_FULL");
    }

    @RepeatedTest(3)
    void makesOneHoldOfManyRequestsWithOneKey() {
        long slot = clinic.slot(5);
        long patient = Clinic.newPatient();
        String key = Clinic.newKey();

        List<Answer> answers = all(IntStream.range(0, 60)
                .mapToObj(i -> at(i).holding(slot, patient, key))
                .toList());

        assertThat(answers)
                .allMatch(answer -> answer.is(200) || answer.is(201))
                .filteredOn(answer -> answer.is(201))
                .hasSize(1);
        assertThat(answers.stream().map(Answer::id).distinct()).hasSize(1);
        assertThat(clinic.appointments(slot)).isEqualTo(1).isEqualTo(clinic.events(slot));
    }

    @RepeatedTest(3)
    void makesOneHoldOfAPatientsRequestsWithManyKeys() {
        long slot = clinic.slot(5);
        long patient = Clinic.newPatient();

        List<Answer> answers = all(IntStream.range(0, 40)
                .mapToObj(i -> at(i).holding(slot, patient, Clinic.newKey()))
                .toList());

        assertThat(answers).allMatch(answer -> answer.is(200) || answer.is(201));
        assertThat(answers.stream().map(Answer::id).distinct()).hasSize(1);
        assertThat(clinic.appointments(slot)).isEqualTo(1).isEqualTo(clinic.events(slot));
    }

    /** Each hold expires while somebody confirms it, both instances sweep and somebody else wants the seat. */
    @Test
    void endsAHoldEitherConfirmedOrExpiredInTwoHundredRounds() {
        var random = new Random(5);
        int confirmed = 0;
        for (int round = 0; round < 200; round++) {
            long slot = clinic.slot(1);
            Answer held = clinic.hold(slot, Clinic.newPatient(), Clinic.newKey());
            expiresIn(held, Duration.ofMillis(15));
            Duration confirmAfter = Duration.ofMillis(random.nextInt(20));
            Duration sweepAfter = Duration.ofMillis(10 + random.nextInt(10));

            Mono<Answer> confirming = Mono.delay(confirmAfter).then(at(round).confirming(held.id(), held.token()));
            Mono<Void> sweeping = Mono.delay(sweepAfter)
                    .then(Mono.when(sweepers.get(0).sweep(), sweepers.get(1).sweep()));
            Mono<Answer> wanting =
                    Mono.delay(sweepAfter).then(at(round + 1).booking(slot, Clinic.newPatient(), Clinic.newKey()));
            var ended = Mono.zip(confirming, sweeping.thenReturn(true), wanting).block(PATIENCE);

            Answer answer = ended.getT1();
            Answer other = ended.getT3();
            assertThat(answer.is(200) || answer.code().equals("HOLD_EXPIRED"))
                    .as("%s", answer)
                    .isTrue();
            if (answer.is(200)) {
                confirmed++;
                assertThat(other.code()).as("%s", other).isEqualTo("SLOT_FULL");
            }
            sweepers.getFirst().sweep().block(PATIENCE);
            assertThat(clinic.number("SELECT count(*) FROM appointment WHERE status = '"
                            + (answer.is(200) ? "BOOKED" : "EXPIRED") + "' AND id = " + held.id()))
                    .as("round %d, %s", round, answer)
                    .isEqualTo(1);
            assertThat(clinic.active(slot)).isEqualTo(clinic.bookedCount(slot)).isLessThanOrEqualTo(1);
        }
        assertThat(confirmed).as("rounds that were won by the confirmation").isBetween(1, 199);
    }

    @RepeatedTest(30)
    void givesOneSeatBackWhenAHoldIsCancelledReleasedAndSweptAtOnce() {
        long slot = clinic.slot(2);
        clinic.book(slot, Clinic.newPatient(), Clinic.newKey());
        Answer held = clinic.hold(slot, Clinic.newPatient(), Clinic.newKey());
        expiresIn(held, Duration.ofMillis(5));

        List<Answer> answers = Mono.zip(
                        at(0).cancelling(held.id()),
                        at(1).releasing(held.id(), held.token()),
                        sweepers.get(0)
                                .sweep()
                                .delaySubscription(Duration.ofMillis(4))
                                .then(sweepers.get(1).sweep()))
                .map(all -> List.of(all.getT1(), all.getT2()))
                .block(PATIENCE);
        sweepers.getFirst().sweep().delaySubscription(Duration.ofMillis(10)).block(PATIENCE);

        assertThat(answers.get(0).is(204)).as("%s", answers).isTrue();
        assertThat(answers.get(1).is(204) || answers.get(1).code().equals("HOLD_EXPIRED"))
                .as("%s", answers)
                .isTrue();
        assertThat(clinic.bookedCount(slot)).isEqualTo(1).isEqualTo(clinic.active(slot));
        assertThat(clinic.events(slot)).as("booked, held, ended").isEqualTo(3);
    }

    @RepeatedTest(20)
    void isEitherConfirmedOrReleased() {
        long slot = clinic.slot(1);
        Answer held = clinic.hold(slot, Clinic.newPatient(), Clinic.newKey());

        List<Answer> answers = all(List.of(
                at(0).confirming(held.id(), held.token()),
                at(1).releasing(held.id(), held.token()),
                at(1).confirming(held.id(), held.token())));

        assertThat(answers).allMatch(answer -> answer.is(200) || answer.is(204) || answer.is(404));
        assertThat(clinic.bookedCount(slot))
                .isEqualTo(clinic.active(slot))
                .isEqualTo(answers.stream().anyMatch(answer -> answer.is(200)) ? 1 : 0);
        assertThat(clinic.events(slot)).as("held, and one end").isEqualTo(2);
    }

    @Test
    void keepsCountsThroughAThousandMixedCalls() {
        List<Long> slots = clinic.slots(5, 10);
        var random = new Random(3);
        Mono<List<Answer>> calls = Flux.range(0, 1_000)
                .flatMap(
                        i -> {
                            long slot = slots.get(random.nextInt(5));
                            int next = random.nextInt(4);
                            return at(i).holding(slot, Clinic.newPatient(), Clinic.newKey())
                                    .flatMap(held -> held.is(201) ? ended(i, held, next) : Mono.just(held));
                        },
                        64)
                .collectList();

        assertThat(calls.block(PATIENCE))
                .allMatch(answer -> answer.is(200)
                        || answer.is(201)
                        || answer.is(204)
                        || answer.code().equals("SLOT_FULL"));
        assertThat(slots).allMatch(slot -> clinic.bookedCount(slot) == clinic.active(slot));
    }

    private Mono<Answer> ended(int i, Answer held, int next) {
        return switch (next) {
            case 0 -> at(i + 1).confirming(held.id(), held.token());
            case 1 -> at(i + 1).releasing(held.id(), held.token());
            case 2 -> at(i).confirming(held.id(), held.token()).then(at(i + 1).cancelling(held.id()));
            default -> Mono.just(held);
        };
    }

    private Mono<Answer> booked(int i, long slot) {
        return at(i).booking(slot, Clinic.newPatient(), Clinic.newKey());
    }

    private Mono<Answer> heldAndConfirmed(int i, long slot) {
        return at(i).holding(slot, Clinic.newPatient(), Clinic.newKey())
                .flatMap(held -> held.is(201) ? at(i + 1).confirming(held.id(), held.token()) : Mono.just(held));
    }

    private void expiresIn(Answer held, Duration time) {
        clinic.execute("UPDATE appointment SET hold_expires_at = clock_timestamp() + interval '%d ms' WHERE id = %d"
                .formatted(time.toMillis(), held.id()));
    }

    private Clinic at(int number) {
        return clinics.get(Math.floorMod(number, clinics.size()));
    }

    private static <T> List<T> all(List<Mono<T>> calls) {
        return Flux.merge(Flux.fromIterable(calls), 256).collectList().block(PATIENCE);
    }
}
