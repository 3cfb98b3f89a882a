package dev.daybreak.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import dev.daybreak.availability.day.SlotChangedElsewhere;
import dev.daybreak.room.LentRoom;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.http.HttpMethod;

/** Two instances on a Redis in cluster mode: limits, marks, lists and the channel work as on a single one. */
@DaybreakTest
class RedisClusterTest {

    private static final int ATTEMPTS = 5;
    private static final String PASSWORD = "seven red doors";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static RedisCluster cluster;
    private static ConfigurableApplicationContext one;
    private static ConfigurableApplicationContext other;

    @BeforeAll
    static void start(@Autowired ApplicationContext here) throws Exception {
        cluster = RedisCluster.start();
        String[] properties = {
            "spring.data.redis.cluster.nodes=" + cluster.nodes(),
            "daybreak.admission.attempts=" + ATTEMPTS,
            "daybreak.admin.name=admin",
            "daybreak.admin.password=" + PASSWORD
        };
        one = TestServers.anotherInstance(here, properties);
        other = TestServers.anotherInstance(here, properties);
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable started : new AutoCloseable[] {one, other, cluster}) {
            if (started != null) {
                started.close();
            }
        }
    }

    @Test
    void countsThePatientsAttemptsAtBothInstances() {
        long slot = Clinic.at(one).slot(1);
        Clinic.at(one).book(slot, Clinic.newPatient(), Clinic.newKey());
        long patient = Clinic.newPatient();

        List<Answer> answers = IntStream.rangeClosed(0, ATTEMPTS)
                .mapToObj(i -> Clinic.at(i % 2 == 0 ? one : other).book(slot, patient, Clinic.newKey()))
                .toList();

        assertThat(answers.subList(0, ATTEMPTS)).allMatch(answer -> answer.is(409));
        assertThat(answers.getLast().is(429)).as("%s", answers.getLast()).isTrue();
    }

    @Test
    void knowsAtOneInstanceThatASlotIsFullFromTheOther() {
        long slot = Clinic.at(one).slot(1);
        Clinic.at(one).book(slot, Clinic.newPatient(), Clinic.newKey());
        Clinic.at(one).book(slot, Clinic.newPatient(), Clinic.newKey());

        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer answer = Clinic.at(other).book(slot, Clinic.newPatient(), Clinic.newKey());
            assertThat(answer.code()).isEqualTo("SLOT_FULL");
            assertThat(count(other, "daybreak.gate.decisions", "decision", "known-full"))
                    .isPositive();
        });
        assertThat(count(other, "daybreak.gate.without.redis")).isZero();
    }

    @Test
    void letsEverybodyInAgainWhenASeatComesBack() {
        long slot = Clinic.at(one).slot(1);
        Answer first = Clinic.at(one).book(slot, Clinic.newPatient(), Clinic.newKey());
        Clinic.at(other).book(slot, Clinic.newPatient(), Clinic.newKey());

        Clinic.at(other).cancel(first.id());

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Clinic.at(one)
                                .book(slot, Clinic.newPatient(), Clinic.newKey())
                                .is(201))
                        .isTrue());
    }

    @Test
    void tellsTheOtherInstanceOfAChangeAndKeepsLists() {
        var heard = new ConcurrentLinkedQueue<Long>();
        ApplicationListener<PayloadApplicationEvent<?>> listener = event -> {
            if (event.getPayload() instanceof SlotChangedElsewhere changed) {
                heard.add(changed.slot().id());
            }
        };
        other.addApplicationListener(listener);
        Clinic clinic = Clinic.at(one);
        long slot = clinic.slot(3);
        long doctor = clinic.number("SELECT doctor_id FROM time_slot WHERE id = " + slot);
        long day = clinic.number("SELECT extract(epoch FROM start_at)::bigint FROM time_slot WHERE id = " + slot);
        String list = "/api/doctors/%d/slots?date=%s"
                .formatted(
                        doctor,
                        java.time.Instant.ofEpochSecond(day)
                                .atZone(java.time.ZoneId.of("Europe/Berlin"))
                                .toLocalDate());
        assertThat(clinic.get(list).is(200)).isTrue();

        clinic.book(slot, Clinic.newPatient(), Clinic.newKey());

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(heard).contains(slot));
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(Clinic.at(other).get(list).body().toString()).contains("remaining=2"));
        assertThat(cluster.keys()).isPositive();
        assertThat(count(one, "daybreak.slots.cache", "result", "error")).isZero();
        assertThat(count(other, "daybreak.slots.cache", "result", "error")).isZero();
    }

    @Test
    void holdsRoomsAndReservesThem() {
        LentRoom here = LentRoom.of(Clinic.at(one));
        LentRoom there = here.at(Clinic.at(other));
        Instant nine = Instant.now()
                .plus(2, ChronoUnit.DAYS)
                .truncatedTo(ChronoUnit.DAYS)
                .plus(9, ChronoUnit.HOURS);
        Instant ten = nine.plus(1, ChronoUnit.HOURS);
        Instant eleven = ten.plus(1, ChronoUnit.HOURS);

        Answer hold = here.hold(nine, ten);
        assertThat(hold.is(201)).as("%s", hold).isTrue();
        assertThat(there.hold(nine, eleven).code()).isEqualTo("HOLD_CONFLICT");
        assertThat(there.extend(hold).is(200)).isTrue();
        Answer reserved = there.reserve(nine, ten, hold.token());
        assertThat(reserved.is(201)).as("%s", reserved).isTrue();
        Answer next = there.hold(ten, eleven);
        assertThat(here.release(next).is(204)).isTrue();
        assertThat(here.cancel(reserved).is(204)).isTrue();
        assertThat(here.reserved()).isZero();
    }

    @Test
    void letsStaffLogInAndLimitsAttempts() {
        assertThat(login(one, PASSWORD).is(200)).isTrue();
        List<Integer> wrong = IntStream.range(0, 12)
                .mapToObj(i -> login(i % 2 == 0 ? one : other, "wrong").status().value())
                .toList();

        assertThat(wrong).startsWith(401).endsWith(429).containsOnly(401, 429);
    }

    private static Answer login(ApplicationContext instance, String password) {
        return Clinic.at(instance)
                .send(HttpMethod.POST, "/api/admin/login", Map.of(), Map.of("name", "admin", "password", password));
    }

    private static double count(ApplicationContext instance, String name, String... tags) {
        return instance.getBean(MeterRegistry.class).get(name).tags(tags).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }
}
