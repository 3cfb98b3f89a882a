package dev.daybreak.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The gate as patients meet it, at an instance with the limits of production. */
@DaybreakTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GateTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Autowired
    ApplicationContext elsewhere;

    @Autowired
    ReactiveStringRedisTemplate redis;

    ConfigurableApplicationContext instance;
    Clinic clinic;

    @BeforeAll
    void start() {
        instance = TestServers.anotherInstance(
                elsewhere,
                "daybreak.admission.attempts=5",
                "daybreak.admission.window=10s",
                "daybreak.booking.hold=20s");
        clinic = new Clinic(instance);
    }

    @AfterAll
    void stop() {
        instance.close();
    }

    @Test
    void refusesTheSixthAttemptOfAPatientAndNobodyElse() {
        List<Long> slots = clinic.slots(7, 1);
        long eager = Clinic.newPatient();

        List<Answer> first = slots.subList(0, 5).stream()
                .map(slot -> clinic.book(slot, eager, Clinic.newKey()))
                .toList();
        Answer sixth = clinic.book(slots.get(5), eager, Clinic.newKey());

        assertThat(first).allMatch(answer -> answer.is(201));
        assertThat(sixth.status().value()).isEqualTo(429);
        assertThat(sixth.code()).isEqualTo("RATE_LIMITED");
        assertThat(Integer.parseInt(sixth.headers().get("Retry-After"))).isBetween(1, 10);
        assertThat(clinic.active(slots.get(5))).isZero();
        assertThat(clinic.book(slots.get(5), Clinic.newPatient(), Clinic.newKey())
                        .is(201))
                .isTrue();
    }

    @Test
    void doesNotChargeReadingToTheLimit() {
        long patient = Clinic.newPatient();
        long slot = clinic.slot(1);

        IntStream.range(0, 50)
                .forEach(i -> assertThat(clinic.get("/api/patients/" + patient + "/appointments")
                                .is(200))
                        .isTrue());

        assertThat(clinic.book(slot, patient, Clinic.newKey()).is(201)).isTrue();
    }

    @Test
    void aCounterThatLostItsExpiryLocksNobodyOut() {
        long patient = Clinic.newPatient();
        redis.opsForValue().set(GateKeys.counter(patient), "1000").block(PATIENCE);

        assertThat(clinic.book(clinic.slot(1), patient, Clinic.newKey()).is(201))
                .isTrue();

        assertThat(redis.getExpire(GateKeys.counter(patient)).block(PATIENCE))
                .isBetween(Duration.ofMillis(1), Duration.ofSeconds(10));
    }

    @Test
    void knowsAFullSlotButLetsTheWinnersRetryThrough() {
        long slot = clinic.slot(1);
        long winner = Clinic.newPatient();
        String key = Clinic.newKey();
        long appointment = clinic.book(slot, winner, key).id();

        awaitMark(slot);
        double before = decisions("known-full");
        Answer refused = clinic.book(slot, Clinic.newPatient(), Clinic.newKey());
        Answer retried = clinic.book(slot, winner, key);

        assertThat(refused.code()).isEqualTo("SLOT_FULL");
        assertThat(refused.body()).containsEntry("remaining", 0).containsEntry("slotId", (int) slot);
        assertThat(decisions("known-full")).isGreaterThan(before);
        assertThat(retried.is(200)).isTrue();
        assertThat(retried.id()).isEqualTo(appointment);
    }

    @Test
    void knowsASlotFullOfHoldsUntilTheFirstExpiresButLetsTheHoldersThrough() {
        long slot = clinic.slot(1);
        long holder = Clinic.newPatient();
        Answer held = clinic.hold(slot, holder, Clinic.newKey());

        awaitMark(slot);
        Answer refused = clinic.hold(slot, Clinic.newPatient(), Clinic.newKey());
        Answer again = clinic.hold(slot, holder, Clinic.newKey());

        assertThat(refused.code()).isEqualTo("SLOT_FULL");
        assertThat(again.is(200)).as("%s", again).isTrue();
        assertThat(again.id()).isEqualTo(held.id());
        assertThat(redis.getExpire(GateKeys.mark(slot)).block(PATIENCE))
                .as("a mark lives 30 s otherwise")
                .isBetween(Duration.ofMillis(1), Duration.ofSeconds(20));
        clinic.release(held.id(), held.token());
        assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).is(201))
                .isTrue();
    }

    @Test
    void aCancelledSeatCanBeBookedAtOnceAlthoughTheSlotWasMarked() {
        long slot = clinic.slot(1);
        long appointment =
                clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).id();
        awaitMark(slot);

        clinic.cancel(appointment);

        assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).is(201))
                .isTrue();
    }

    @Test
    void aSeatAddedByTheClinicCanBeBookedAtOnce() {
        long slot = clinic.slot(1);
        clinic.book(slot, Clinic.newPatient(), Clinic.newKey());
        awaitMark(slot);

        clinic.send(
                org.springframework.http.HttpMethod.PATCH,
                "/api/admin/slots/" + slot,
                java.util.Map.of(),
                java.util.Map.of("capacity", 2));

        assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).is(201))
                .isTrue();
    }

    @Test
    void aMarkLeftByACrashIsFoundOutByWhoeverComesFirst() {
        long slot = clinic.slot(1);
        redis.opsForSet().add(GateKeys.mark(slot), "a key of nobody").block(PATIENCE);

        assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).is(201))
                .isTrue();

        await().atMost(PATIENCE).until(() -> redis.hasKey(GateKeys.mark(slot)).block(PATIENCE), there -> !there);
    }

    @RepeatedTest(20)
    void noOrderOfMarkingAndCancellingLeavesAMarkOnAFreeSeat() {
        List<Long> slots = clinic.slots(10, 1);
        List<Long> appointments = slots.stream()
                .map(slot ->
                        clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).id())
                .toList();
        FullMarks marks = instance.getBean(FullMarks.class);

        Flux.range(0, 10)
                .flatMap(i ->
                        Mono.when(marks.marked(slots.get(i)).onErrorComplete(), clinic.cancelling(appointments.get(i))))
                .blockLast(PATIENCE);

        await().atMost(Duration.ofSeconds(2))
                .untilAsserted(() -> assertThat(slots)
                        .noneMatch(slot -> Boolean.TRUE.equals(
                                redis.hasKey(GateKeys.mark(slot)).block(PATIENCE))));
    }

    private void awaitMark(long slot) {
        await().atMost(PATIENCE).until(() -> {
            clinic.book(slot, Clinic.newPatient(), Clinic.newKey());
            return redis.hasKey(GateKeys.mark(slot)).block(PATIENCE);
        });
    }

    private double decisions(String decision) {
        return instance.getBean(MeterRegistry.class)
                .get("daybreak.gate.decisions")
                .tag("decision", decision)
                .counter()
                .count();
    }
}
