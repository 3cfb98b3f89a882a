package dev.daybreak.room.reserve;

import static dev.daybreak.room.reserve.Lodger.PATIENCE;
import static dev.daybreak.room.reserve.Lodger.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import dev.daybreak.TestServers;
import dev.daybreak.room.TimeRange;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Somebody who writes past the locks, callers who leave, and servers that are away. */
@DaybreakTest
class ReservationTroubleTest {

    private static final Duration QUARTER = Duration.ofMinutes(15);

    @Autowired
    ApplicationContext service;

    @Autowired
    ConnectionPool common;

    @Autowired
    Reserving reserving;

    @Autowired
    RoomQueues<Claim, Outcome> queues;

    Clinic clinic;
    Lodger lodger;
    long room;
    Connection stranger;

    @BeforeEach
    void aRoomAndSomebodyElseInTheDatabase() {
        clinic = Clinic.at(service);
        lodger = new Lodger(clinic);
        room = lodger.room();
        stranger = Mono.from(common.unwrap().create()).block(PATIENCE);
        Mono.from(stranger.beginTransaction()).block(PATIENCE);
    }

    @AfterEach
    void nothingIsBroken() {
        Mono.from(stranger.rollbackTransaction())
                .onErrorComplete()
                .then(Mono.from(stranger.close()))
                .block(PATIENCE);
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    private static Mono<Void> run(Connection connection, String sql) {
        return Flux.from(connection.createStatement(sql).execute())
                .flatMap(result -> result.getRowsUpdated())
                .then();
    }

    /** As the service does it, event included, but without the room's lock. */
    private Mono<Void> insertUnlocked(String from, String to) {
        return run(stranger, """
                WITH made AS (
                    INSERT INTO reservation (room_id, start_at, end_at, name, password_hash, created_at)
                    VALUES (%d, '%s', '%s', 'Stranger', 'none', now()) RETURNING id)
                INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload)
                SELECT 'reservation', id::text, 'ReservationCreated', '{}' FROM made""".formatted(room, at(from), at(to)));
    }

    private long waiting(String kind) {
        return clinic.number("SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = '" + kind + "'");
    }

    @Test
    void whatTheConstraintRefusesIsAConflict() {
        insertUnlocked("09:00", "10:00").block(PATIENCE);
        CompletableFuture<Answer> answer =
                lodger.reserving(room, at("09:30"), at("10:30")).toFuture();
        await().atMost(PATIENCE).until(() -> waiting("transactionid") == 1);

        Mono.from(stranger.commitTransaction()).block(PATIENCE);

        assertThat(answer.join().is(409)).as("%s", answer.join()).isTrue();
        assertThat(answer.join().code()).isEqualTo("RESERVATION_CONFLICT");
    }

    @Test
    void whatIsRolledBackWasNoConflict() {
        insertUnlocked("09:00", "10:00").block(PATIENCE);
        CompletableFuture<Answer> answer =
                lodger.reserving(room, at("09:30"), at("10:30")).toFuture();
        await().atMost(PATIENCE).until(() -> waiting("transactionid") == 1);

        Mono.from(stranger.rollbackTransaction()).block(PATIENCE);

        assertThat(answer.join().is(201)).as("%s", answer.join()).isTrue();
    }

    /** Two claims in one transaction, and a stranger who inserts the same in the other order. */
    @RepeatedTest(3)
    void aDeadlockIsAConflictOrNoneAndNeverAFailure() {
        Connection gatekeeper = Mono.from(common.unwrap().create()).block(PATIENCE);
        Mono.from(gatekeeper.beginTransaction()).block(PATIENCE);
        run(gatekeeper, "SELECT pg_advisory_xact_lock(hashtextextended('room:%d', 0))".formatted(room))
                .block(PATIENCE);
        CompletableFuture<Outcome> first = outcome("06:00", "06:15");
        await().atMost(PATIENCE).until(() -> waiting("advisory") == 1);
        CompletableFuture<Outcome> one = outcome("09:00", "10:00");
        CompletableFuture<Outcome> two = outcome("11:00", "12:00");
        insertUnlocked("11:00", "11:15").block(PATIENCE);
        Mono.from(gatekeeper.close()).block(PATIENCE); // lets the first go on, and then the two together
        await().atMost(PATIENCE).until(() -> waiting("transactionid") == 1);

        insertUnlocked("09:45", "10:15")
                .then(Mono.from(stranger.commitTransaction()))
                .onErrorResume(loser -> Mono.from(stranger.rollbackTransaction()))
                .block(PATIENCE);

        assertThat(first.join()).isInstanceOf(Outcome.Reserved.class);
        assertThat(List.of(one.join(), two.join()))
                .allMatch(outcome ->
                        outcome instanceof Outcome.Reserved || outcome == Outcome.Refused.RESERVATION_CONFLICT);
    }

    private CompletableFuture<Outcome> outcome(String from, String to) {
        var claim = new Claim.Reserve(room, new TimeRange(at(from), at(to)), "Choir", Lodger.PASSWORD, null, null);
        return reserving.reserve(claim, "somewhere").toFuture();
    }

    @Test
    void callersWhoLeaveLeaveNothingOpenAndBreakNothing() {
        var random = new Random(7);
        List<Long> rooms = IntStream.range(0, 5).mapToObj(i -> lodger.room()).toList();

        Flux.range(0, 1_000)
                .flatMap(
                        i -> {
                            Instant start = at("00:00").plus(QUARTER.multipliedBy(i / 5));
                            return lodger.reserving(rooms.get(i % 5), start, start.plus(QUARTER))
                                    .take(Duration.ofNanos(random.nextInt(5_000_000)));
                        },
                        100)
                .then()
                .block(PATIENCE);

        await().atMost(PATIENCE).until(() -> queues.waiting() == 0);
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(common.getMetrics().orElseThrow().acquiredSize()).isZero();
            assertThat(
                            clinic.number(
                                    "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND query LIKE '%reserv%'"))
                    .isZero();
        });
        for (long used : rooms) {
            assertThat(lodger.reserving(
                                    used,
                                    at("00:00").plus(Duration.ofDays(3)),
                                    at("00:15").plus(Duration.ofDays(3)))
                            .block(PATIENCE)
                            .is(201))
                    .isTrue();
        }
    }

    @Test
    void aReservationWhoseAnswerWasLostIsFoundByItsKey() {
        Map<String, String> key = Map.of("Idempotency-Key", Clinic.newKey());
        Map<String, Object> body = Lodger.body(at("09:00"), at("10:00"));
        lodger.reserving(room, key, body).take(Duration.ofMillis(30)).block(PATIENCE);

        Answer again = lodger.reserving(room, key, body).block(PATIENCE);

        assertThat(again.is(200) || again.is(201)).as("%s", again).isTrue();
        assertThat(lodger.active(room)).isEqualTo(1);
    }

    @Test
    void withoutRedisRoomsAreReservedChangedAndFound() {
        var redis = service.getBean(DataRedisConnectionDetails.class).getStandalone();
        try (var proxy = FaultyProxy.to(redis.getHost(), redis.getPort());
                var lonely = TestServers.anotherInstance(
                        service, "spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + proxy.port())) {
            proxy.cut();
            var hermit = new Lodger(Clinic.at(lonely));

            Answer reserved = hermit.reserve(room, "09:00", "10:00");

            assertThat(reserved.is(201)).as("%s", reserved).isTrue();
            assertThat(hermit.move(reserved.id(), "10:00", "11:00").is(200)).isTrue();
            assertThat(hermit.reserve(room, "10:30", "11:30").code()).isEqualTo("RESERVATION_CONFLICT");
            assertThat(hermit.cancel(reserved.id()).is(204)).isTrue();
        }
    }

    @Test
    void withoutPostgresItIs503AndAfterwardsItGoesOn() {
        ConnectionFactoryOptions postgres =
                service.getBean(R2dbcConnectionDetails.class).getConnectionFactoryOptions();
        String host = (String) postgres.getValue(ConnectionFactoryOptions.HOST);
        int port = (Integer) postgres.getValue(ConnectionFactoryOptions.PORT);
        try (var proxy = FaultyProxy.to(host, port);
                var lonely = TestServers.anotherInstance(
                        service,
                        "spring.r2dbc.url=r2dbc:postgresql://127.0.0.1:%d/%s"
                                .formatted(proxy.port(), postgres.getValue(ConnectionFactoryOptions.DATABASE)))) {
            var hermit = new Lodger(Clinic.at(lonely));
            assertThat(hermit.reserve(room, "09:00", "10:00").is(201)).isTrue();
            proxy.cut();

            List<Answer> answers = Lodger.all(IntStream.range(0, 5)
                    .mapToObj(i -> hermit.reserving(room, at("10:00"), at("11:00")))
                    .toList());

            assertThat(answers)
                    .allMatch(answer -> answer.is(503))
                    .allMatch(answer -> answer.headers().containsKey("Retry-After"));
            proxy.resume();
            await().atMost(PATIENCE)
                    .until(() -> hermit.reserve(room, "10:00", "11:00").is(201));
        }
    }
}
