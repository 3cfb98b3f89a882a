package dev.daybreak.availability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import dev.daybreak.TestServers;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;

/** Slot lists of an instance whose Redis fails. */
@DaybreakTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListOutageTest {

    private static final Instant START = Instant.now().plus(2, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS);
    private static final LocalDate DAY = LocalDate.ofInstant(START, ZoneId.of("Europe/Berlin"));

    @Autowired
    ApplicationContext here;

    FaultyProxy redis;
    ConfigurableApplicationContext there;
    Clinic clinic;

    @BeforeAll
    void startAnInstanceBehindTheProxy() {
        var server = here.getBean(DataRedisConnectionDetails.class).getStandalone();
        redis = FaultyProxy.to(server.getHost(), server.getPort());
        there = TestServers.anotherInstance(
                here, "spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port());
        clinic = Clinic.at(there);
    }

    @AfterEach
    void healRedis() {
        redis.resume();
        awaitHits();
    }

    @AfterAll
    void stop() {
        there.close();
        redis.close();
    }

    @Test
    void aHundredWhoAskAtOnceShareTheLoad() {
        String path = path(slot(2));
        double before = count("miss") + count("hit");

        List<Clinic.Answer> answers = Flux.fromIterable(
                        IntStream.range(0, 100).boxed().toList())
                .flatMap(i -> clinic.calling(path), 100)
                .collectList()
                .block(Duration.ofSeconds(20));

        assertThat(answers).hasSize(100).allMatch(answer -> answer.is(200));
        // One for each quarter of a second that a hundred answers take on a busy machine.
        assertThat(count("miss") + count("hit") - before).isBetween(1.0, 10.0);
    }

    @Test
    void listsStayRightWhileRedisIsFrozen() {
        staysRight(redis::pause);
    }

    @Test
    void listsStayRightWhileRedisIsGone() {
        staysRight(redis::cut);
    }

    private void staysRight(Runnable fault) {
        long slot = slot(50);
        assertThat(remaining(slot)).isEqualTo(50);
        fault.run();
        double errors = count("error");
        for (int booked = 1; booked <= 10; booked++) {
            assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).is(201))
                    .isTrue();
            assertThat(remaining(slot)).isEqualTo(50 - booked);
        }
        // A list that is nowhere in memory, so that Redis would be asked.
        long another = slot(7);
        assertThat(remaining(another)).isEqualTo(7);
        assertThat(count("error")).isGreaterThan(errors);
    }

    private void awaitHits() {
        double hits = count("hit");
        long slot = slot(1);
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> remaining(slot) == 1 && count("hit") > hits);
    }

    private long slot(int capacity) {
        return clinic.slot(clinic.doctor(), START, capacity);
    }

    private String path(long slot) {
        long doctor = clinic.number("SELECT doctor_id FROM time_slot WHERE id = " + slot);
        return "/api/doctors/" + doctor + "/slots?include=all&date=" + DAY;
    }

    private int remaining(long slot) {
        Clinic.Answer answer = clinic.get(path(slot));
        assertThat(answer.status().value()).isEqualTo(200);
        return (int) ((Map<?, ?>) ((List<?>) answer.body().get("list")).getFirst()).get("remaining");
    }

    private double count(String result) {
        return there.getBean(MeterRegistry.class)
                .get("daybreak.slots.cache")
                .tag("result", result)
                .counter()
                .count();
    }
}
