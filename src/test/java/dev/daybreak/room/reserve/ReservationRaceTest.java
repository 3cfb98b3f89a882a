package dev.daybreak.room.reserve;

import static dev.daybreak.room.reserve.Lodger.all;
import static dev.daybreak.room.reserve.Lodger.at;
import static dev.daybreak.room.reserve.Lodger.body;
import static dev.daybreak.room.reserve.Lodger.range;
import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
import reactor.core.publisher.Mono;

/** Crowds that want the same rooms at two instances on one database. */
@DaybreakTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReservationRaceTest {

    private static final Duration QUARTER = Duration.ofMinutes(15);

    @Autowired
    ApplicationContext here;

    ConfigurableApplicationContext there;
    List<Lodger> lodgers;
    Clinic clinic;

    @BeforeAll
    void startAnotherInstance() {
        there = TestServers.anotherInstance(here);
        clinic = Clinic.at(here);
        lodgers = List.of(new Lodger(clinic), new Lodger(Clinic.at(there)));
    }

    @AfterAll
    void stopIt() {
        there.close();
    }

    @AfterEach
    void nothingIsBroken() {
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    private Lodger lodger(int number) {
        return lodgers.get(Math.floorMod(number, 2));
    }

    /** Partly, by one within the other, and the same. */
    @Test
    void oneOfTwoThatOverlapGetsTheRoomInTwoHundredRounds() {
        long room = lodger(0).room();
        for (int round = 0; round < 200; round++) {
            Instant begin = at("00:00").plus(QUARTER.multipliedBy(4L * round));
            TimeShift shift = TimeShift.values()[round % TimeShift.values().length];

            List<Answer> answers = all(List.of(
                    lodger(round).reserving(room, begin, begin.plus(QUARTER.multipliedBy(3))),
                    lodger(round + 1).reserving(room, begin.plus(shift.start()), begin.plus(shift.end()))));

            assertThat(answers).extracting(answer -> answer.status().value()).containsExactlyInAnyOrder(201, 409);
            assertThat(answers)
                    .filteredOn(answer -> answer.is(409))
                    .allMatch(answer -> answer.code().equals("RESERVATION_CONFLICT"));
        }
    }

    enum TimeShift {
        PARTLY(1, 4),
        WITHIN(1, 2),
        SAME(0, 3);

        private final int from;
        private final int to;

        TimeShift(int from, int to) {
            this.from = from;
            this.to = to;
        }

        Duration start() {
            return QUARTER.multipliedBy(from);
        }

        Duration end() {
            return QUARTER.multipliedBy(to);
        }
    }

    @Test
    void bothGetWhatOnlyTouches() {
        long room = lodger(0).room();
        for (int round = 0; round < 50; round++) {
            Instant begin = at("00:00").plus(QUARTER.multipliedBy(2L * round));

            List<Answer> answers = all(List.of(
                    lodger(round).reserving(room, begin, begin.plus(QUARTER)),
                    lodger(round + 1).reserving(room, begin.plus(QUARTER), begin.plus(QUARTER.multipliedBy(2)))));

            assertThat(answers).allMatch(answer -> answer.is(201));
        }
    }

    @Test
    void aCrowdLeavesNoOverlapAndNoRoomThatCouldHaveBeenHad() {
        long room = lodger(0).room();
        var random = new Random(3);
        List<Mono<Answer>> claims = IntStream.range(0, 400)
                .mapToObj(i -> {
                    Instant start = at("08:00").plus(QUARTER.multipliedBy(random.nextInt(36)));
                    return lodger(i).reserving(room, start, start.plus(QUARTER.multipliedBy(1 + random.nextInt(4))));
                })
                .toList();

        List<Answer> answers = all(claims);

        assertThat(answers).allMatch(answer -> answer.is(201) || answer.code().equals("RESERVATION_CONFLICT"));
        assertThat(lodger(0).active(room))
                .isEqualTo(answers.stream().filter(answer -> answer.is(201)).count());
        assertThat(answers)
                .as("whoever was refused is in the way of somebody who was not")
                .filteredOn(answer -> answer.is(409))
                .hasSizeGreaterThan(300);
    }

    @Test
    void movesInBothDirectionsEndWithoutOverlapAndWithoutFailure() {
        List<Long> rooms = List.of(lodger(0).room(), lodger(0).room(), lodger(0).room());
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            Instant start = at("08:00").plus(QUARTER.multipliedBy(i / 3));
            ids.add(lodger(i)
                    .reserving(rooms.get(i % 3), start, start.plus(QUARTER))
                    .block(Lodger.PATIENCE)
                    .id());
        }
        var random = new Random(5);
        long moved = 0;
        for (int round = 0; round < 15; round++) {
            List<Mono<Answer>> moves = ids.stream()
                    .map(id -> {
                        Instant start = at("08:00").plus(QUARTER.multipliedBy(random.nextInt(12)));
                        Map<String, Object> body = new HashMap<>(range(start, start.plus(QUARTER)));
                        body.put("roomId", rooms.get(random.nextInt(3)));
                        return lodger(random.nextInt(2)).moving(id, body);
                    })
                    .toList();

            List<Answer> answers = all(moves);

            assertThat(answers)
                    .allMatch(
                            answer -> answer.is(200) || answer.code().equals("RESERVATION_CONFLICT"),
                            "an outcome, never an error");
            moved += answers.stream().filter(answer -> answer.is(200)).count();
        }
        assertThat(moved).isGreaterThan(30);
        assertThat(rooms.stream().mapToLong(room -> lodger(0).active(room)).sum())
                .isEqualTo(24);
    }

    @Test
    void endsCancelledWhoeverIsFirst() {
        long room = lodger(0).room();
        long other = lodger(0).room();
        for (int round = 0; round < 30; round++) {
            long id = lodger(0).reserve(room, "09:00", "10:00").id();
            Map<String, Object> there = range(at("11:00"), at("12:00"));
            there.put("roomId", other);

            List<Answer> answers = all(List.of(
                    lodger(round).moving(id, there),
                    lodger(round + 1).cancelling(id),
                    lodger(round).cancelling(id),
                    lodger(round + 1).moving(id, range(at("09:30"), at("10:30")))));

            assertThat(answers)
                    .allMatch(answer ->
                            answer.is(200) || answer.is(204) || answer.code().equals("RESERVATION_NOT_ACTIVE"));
            assertThat(lodger(0).active(room) + lodger(0).active(other)).isZero();
        }
    }

    @Test
    void oneKeyReservesOnceHoweverManySendIt() {
        long room = lodger(0).room();
        long elsewhere = lodger(0).room();
        for (int round = 0; round < 10; round++) {
            Map<String, String> key = Map.of("Idempotency-Key", Clinic.newKey());
            Instant start = at("08:00").plus(QUARTER.multipliedBy(round));
            Map<String, Object> body = body(start, start.plus(QUARTER));
            List<Mono<Answer>> calls = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                calls.add(lodger(i).reserving(room, key, body));
            }
            calls.add(lodger(round).reserving(elsewhere, key, body));

            List<Answer> answers = all(calls);

            assertThat(answers).filteredOn(answer -> answer.is(201)).hasSize(1);
            assertThat(answers).allMatch(answer -> answer.is(201) || answer.is(200) || answer.is(422));
        }
        assertThat(lodger(0).active(room) + lodger(0).active(elsewhere)).isEqualTo(10);
    }

    /** A day of people who come, change their minds and go, on few rooms. */
    @Test
    void aBusyDayEndsConsistent() {
        List<Long> rooms = IntStream.range(0, 4).mapToObj(i -> lodger(0).room()).toList();
        List<Long> ids = new ArrayList<>();
        for (int wave = 0; wave < 6; wave++) {
            var random = new Random(wave);
            List<Mono<Answer>> calls = new ArrayList<>();
            for (int i = 0; i < 120; i++) {
                Instant start = at("06:00").plus(QUARTER.multipliedBy(random.nextInt(60)));
                Instant end = start.plus(QUARTER.multipliedBy(1 + random.nextInt(4)));
                long room = rooms.get(random.nextInt(rooms.size()));
                int kind = ids.isEmpty() ? 0 : random.nextInt(4);
                if (kind < 2) {
                    calls.add(lodger(i).reserving(room, start, end));
                } else {
                    long id = ids.get(random.nextInt(ids.size()));
                    Map<String, Object> body = new HashMap<>(range(start, end));
                    body.put("roomId", room);
                    calls.add(kind == 2 ? lodger(i).moving(id, body) : lodger(i).cancelling(id));
                }
            }

            List<Answer> answers = all(calls);

            assertThat(answers).noneMatch(answer -> answer.status().is5xxServerError());
            answers.stream().filter(answer -> answer.is(201)).map(Answer::id).forEach(ids::add);
        }
        assertThat(ids).hasSizeGreaterThan(50);
    }
}
