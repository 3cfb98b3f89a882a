package dev.daybreak.room.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import dev.daybreak.room.LentRoom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Many at once, over two instances that wait for Redis as long as it takes. */
@DaybreakTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoomHoldRaceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Instant FIRST =
            Instant.now().plus(3, ChronoUnit.DAYS).truncatedTo(ChronoUnit.DAYS).plus(8, ChronoUnit.HOURS);

    @Autowired
    ApplicationContext instance;

    List<ConfigurableApplicationContext> instances;
    List<Clinic> clinics;

    @BeforeAll
    void startTwoInstances() {
        instances = IntStream.range(0, 2)
                .mapToObj(i -> TestServers.anotherInstance(
                        instance, "spring.data.redis.timeout=10s", "daybreak.rooms.hash-strength=4"))
                .toList();
        clinics = instances.stream().map(Clinic::at).toList();
    }

    @AfterAll
    void stopThem() {
        instances.forEach(ConfigurableApplicationContext::close);
    }

    @Test
    void ofTwoOverlappingHoldsAtOnceOneIsMadeAndTheOtherLeavesNothing() {
        LentRoom room = LentRoom.of(clinics.getFirst());
        for (int round = 0; round < 200; round++) {
            Instant start = FIRST.plus(round % 10, ChronoUnit.HOURS);
            LentRoom there = room.at(clinics.get(1));
            List<Answer> answers = both(
                    room.holding(start, minutes(start, 45)), there.holding(minutes(start, 30), minutes(start, 60)));

            assertThat(answers).filteredOn(answer -> answer.is(201)).hasSize(1);
            assertThat(answers)
                    .filteredOn(answer -> answer.code().equals("HOLD_CONFLICT"))
                    .hasSize(1);
            boolean firstWon = answers.getFirst().is(201);
            Answer rest = firstWon
                    ? there.hold(minutes(start, 45), minutes(start, 60))
                    : there.hold(start, minutes(start, 30));
            assertThat(rest.is(201)).isTrue();
            assertThat(room.release(rest).is(204)).isTrue();
            assertThat(room.release(answers.get(firstWon ? 0 : 1)).is(204)).isTrue();
        }
    }

    @Test
    void ofAHoldAndAReservationAtOnceEitherOneOrTheOtherIsMade() {
        LentRoom room = LentRoom.of(clinics.getFirst());
        for (int round = 0; round < 100; round++) {
            Instant start = FIRST.plus(round % 10, ChronoUnit.HOURS);
            LentRoom there = room.at(clinics.get(1));
            Mono<Answer> holding = room.holding(start, minutes(start, 45));
            Mono<Answer> reserving = there.reserving(minutes(start, 30), minutes(start, 60), null);
            // The hold begins later each time, until it begins after the reservation has been made.
            List<Answer> answers =
                    both(Mono.delay(Duration.ofMillis(round % 20)).then(holding), reserving);

            Answer held = answers.getFirst();
            Answer reserved = answers.getLast();
            assertThat(held.is(201)).as("%s against %s", held, reserved).isNotEqualTo(reserved.is(201));
            if (held.is(201)) {
                assertThat(reserved.code()).isEqualTo("HOLD_CONFLICT");
                assertThat(room.release(held).is(204)).isTrue();
            } else {
                assertThat(held.code()).isIn("HOLD_CONFLICT", "RESERVATION_CONFLICT");
                assertThat(room.cancel(reserved).is(204)).isTrue();
            }
        }
    }

    @Test
    void fiftyWhoTypeAtOnceAllGetWhatTheyHeld() {
        List<LentRoom> rooms = IntStream.range(0, 3)
                .mapToObj(i -> LentRoom.of(clinics.getFirst()))
                .toList();
        var random = new Random(11);
        var kept = new AtomicInteger();
        var lost = new AtomicInteger();
        var direct = new AtomicInteger();

        Flux.range(0, 50)
                .flatMap(
                        visitor -> {
                            LentRoom room = rooms.get(random.nextInt(rooms.size()));
                            Instant start = FIRST.plus(15L * random.nextInt(24), ChronoUnit.MINUTES);
                            Instant end = minutes(start, 15 * (1 + random.nextInt(6)));
                            return visitor % 10 == 9
                                    ? room.at(one(random))
                                            .reserving(start, end, null)
                                            .doOnNext(answer -> {
                                                if (answer.is(201)) {
                                                    direct.incrementAndGet();
                                                }
                                            })
                                    : typing(room, start, end, random, kept, lost);
                        },
                        50)
                .repeat(3)
                .blockLast(PATIENCE);

        assertThat(lost).hasValue(0);
        assertThat(kept).hasPositiveValue();
        assertThat(rooms.stream().mapToLong(LentRoom::reserved).sum()).isEqualTo(kept.get() + direct.get());
        assertThat(clinics.getFirst().brokenInvariants()).isEmpty();
    }

    /** Holds, extends, and then reserves or goes away. */
    private Mono<Answer> typing(
            LentRoom room, Instant start, Instant end, Random random, AtomicInteger kept, AtomicInteger lost) {
        return room.at(one(random))
                .holding(start, end)
                .filter(hold -> hold.is(201))
                .flatMap(hold -> room.at(one(random))
                        .extending(hold.id(), hold.token())
                        .doOnNext(extended -> assertThat(extended.is(200)).isTrue())
                        .then(Mono.delay(Duration.ofMillis(random.nextInt(30))))
                        .then(
                                random.nextInt(4) == 0
                                        ? room.at(one(random)).releasing(hold.id(), hold.token())
                                        : room.at(one(random))
                                                .reserving(start, end, hold.token())
                                                .doOnNext(answer -> (answer.is(201) ? kept : lost).incrementAndGet())));
    }

    private Clinic one(Random random) {
        return clinics.get(random.nextInt(clinics.size()));
    }

    private static Instant minutes(Instant start, int minutes) {
        return start.plus(minutes, ChronoUnit.MINUTES);
    }

    private static List<Answer> both(Mono<Answer> one, Mono<Answer> other) {
        return Objects.requireNonNull(Mono.zip(one, other)
                .map(answers -> List.of(answers.getT1(), answers.getT2()))
                .block(PATIENCE));
    }
}
