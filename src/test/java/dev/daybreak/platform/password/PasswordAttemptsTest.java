package dev.daybreak.platform.password;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.room.LentRoom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@DaybreakTest
class PasswordAttemptsTest {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    @Autowired
    ApplicationContext service;

    @Autowired
    ReactiveStringRedisTemplate redis;

    @Autowired
    RedisCircuit circuit;

    @AfterEach
    void forgetThisAddress() {
        redis.delete(redis.keys("{room-passwords}:*")).block(PATIENCE);
    }

    private PasswordAttempts attempts(Duration window) {
        return new PasswordAttempts(redis, circuit, Clock.systemUTC(), "test-passwords", 3, window);
    }

    /** "right", "wrong", or the code of the refusal. */
    private static Mono<String> attempt(PasswordAttempts attempts, String address, String subject, boolean right) {
        return attempts.limit(address, subject, Mono.just(right), answer -> answer)
                .map(answer -> answer ? "right" : "wrong")
                .onErrorResume(
                        Refusal.class,
                        refusal -> Mono.just(refusal.problem().code().name()));
    }

    private static String name() {
        return UUID.randomUUID().toString();
    }

    @Test
    void oneAddressGuessesThreeTimesAndTheOwnerElsewhereIsNotLockedOut() {
        var attempts = attempts(Duration.ofMinutes(10));
        String subject = name();
        String guesser = name();

        List<String> guesses = Flux.range(0, 10)
                .concatMap(i -> attempt(attempts, guesser, subject, false))
                .collectList()
                .block(PATIENCE);

        assertThat(guesses.subList(0, 3)).containsOnly("wrong");
        assertThat(guesses.subList(3, 10)).containsOnly("RATE_LIMITED");
        assertThat(attempt(attempts, guesser, subject, true).block(PATIENCE)).isEqualTo("RATE_LIMITED");
        assertThat(attempt(attempts, name(), subject, true).block(PATIENCE)).isEqualTo("right");
    }

    @Test
    void oneThingEnduresTwelveGuessesWhoeverMakesThem() {
        var attempts = attempts(Duration.ofMinutes(10));
        String subject = name();

        List<String> guesses = Flux.range(0, 15)
                .concatMap(i -> attempt(attempts, name(), subject, false))
                .collectList()
                .block(PATIENCE);

        assertThat(guesses.subList(0, 12)).containsOnly("wrong");
        assertThat(guesses.subList(12, 15)).containsOnly("RATE_LIMITED");
    }

    @Test
    void aCrowdOfGuessesAtOnceIsNoWayAround() {
        var attempts = attempts(Duration.ofMinutes(10));
        String subject = name();
        String guesser = name();

        List<String> guesses = Flux.range(0, 200)
                .flatMap(
                        i -> attempts.limit(
                                        guesser,
                                        subject,
                                        Mono.delay(Duration.ofMillis(50)).thenReturn(false),
                                        right -> right)
                                .map(right -> "wrong")
                                .onErrorReturn("refused"),
                        200)
                .collectList()
                .block(PATIENCE);

        assertThat(guesses).filteredOn("wrong"::equals).hasSize(3);
    }

    @Test
    void rightOnesDoNotCount() {
        var attempts = attempts(Duration.ofMinutes(10));
        String address = name();

        assertThat(IntStream.range(0, 20)
                        .mapToObj(i -> attempt(attempts, address, name(), true).block(PATIENCE)))
                .containsOnly("right");
    }

    @Test
    void theWindowEnds() {
        var attempts = attempts(Duration.ofMillis(300));
        String address = name();
        String subject = name();
        Flux.range(0, 5)
                .concatMap(i -> attempt(attempts, address, subject, false))
                .blockLast(PATIENCE);

        org.awaitility.Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> attempt(attempts, address, subject, true)
                        .block(PATIENCE)
                        .equals("right"));
    }

    @Test
    void withoutRedisTheInstanceCountsForItself() {
        var local = new LocalAttempts(List.of(2, 8), Duration.ofMinutes(1), Clock.systemUTC());
        List<String> counters = List.of("address", "subject");

        assertThat(local.attempt(counters)).isZero();
        assertThat(local.attempt(counters)).isZero();
        assertThat(local.attempt(counters)).isPositive();
        local.forgive(counters);
        assertThat(local.attempt(counters)).isZero();
        assertThat(local.attempt(List.of("another address", "subject"))).isZero();
    }

    @Test
    void overHttpItIs429WithRetryAfterForCancelMoveAndSearchAlike() {
        try (var strict = TestServers.anotherInstance(service, "daybreak.rooms.password-attempts=2")) {
            redis.delete(redis.keys("{room-passwords}:*")).block(PATIENCE);
            Clinic clinic = Clinic.at(strict);
            LentRoom room = LentRoom.of(clinic);
            Instant start = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS);
            Answer reservation = room.reserve(start, start.plus(1, ChronoUnit.HOURS), null);
            Map<String, String> wrong = Map.of("Reservation-Password", "blue door");
            String path = "/api/reservations/" + reservation.id();

            assertThat(clinic.send(HttpMethod.DELETE, path, wrong, null).is(403))
                    .isTrue();
            assertThat(clinic.send(
                                    HttpMethod.POST,
                                    "/api/reservations/search",
                                    Map.of(),
                                    Map.of("name", "Nobody", "password", "blue door"))
                            .is(200))
                    .isTrue();

            Answer refused = clinic.send(HttpMethod.DELETE, path, wrong, null);
            assertThat(refused.is(429)).as("%s", refused).isTrue();
            assertThat(refused.code()).isEqualTo("RATE_LIMITED");
            assertThat(Long.parseLong(refused.headers().get("Retry-After"))).isBetween(1L, 600L);
            assertThat(room.cancel(reservation).is(429)).isTrue();
        }
    }
}
