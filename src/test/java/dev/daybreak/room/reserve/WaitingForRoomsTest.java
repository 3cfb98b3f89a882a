package dev.daybreak.room.reserve;

import static dev.daybreak.room.reserve.Lodger.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import dev.daybreak.room.TimeRange;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** What waiting for a room costs: those who wait a place in memory, and the others nothing. */
@DaybreakTest
class WaitingForRoomsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration QUARTER = Duration.ofMinutes(15);
    private static final int CROWD = 500;

    @Autowired
    ApplicationContext service;

    @Autowired
    ConnectionPool common;

    @Autowired
    DatabaseClient database;

    @Autowired
    TransactionalOperator transaction;

    @Autowired
    Reserving reserving;

    @Autowired
    RoomQueues<Claim, Outcome> queues;

    Clinic clinic;
    Lodger lodger;
    long room;
    Connection other;

    @BeforeEach
    void aRoom() {
        clinic = Clinic.at(service);
        lodger = new Lodger(clinic);
        room = lodger.room();
    }

    @AfterEach
    void nothingIsBroken() {
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    /** As another instance would that has stopped in the middle of its transaction. */
    private void lockTheRoomFromElsewhere() {
        other = Mono.from(common.unwrap().create()).block(PATIENCE);
        Mono.from(other.beginTransaction()).block(PATIENCE);
        Flux.from(other.createStatement("SELECT pg_advisory_xact_lock(hashtextextended('room:%d', 0))".formatted(room))
                        .execute())
                .flatMap(result -> result.map((row, metadata) -> 1))
                .blockLast(PATIENCE);
    }

    private void unlockIt() {
        Mono.from(other.rollbackTransaction()).then(Mono.from(other.close())).block(PATIENCE);
    }

    private Claim.Reserve claim(Instant start, int quarters) {
        return new Claim.Reserve(
                room,
                new TimeRange(start, start.plus(QUARTER.multipliedBy(quarters))),
                "Book club",
                Lodger.PASSWORD,
                null,
                null);
    }

    @Test
    void theFirstWhoAskedGetsTheRoom() {
        lockTheRoomFromElsewhere();
        List<Mono<Outcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Mono<Outcome> outcome = reserving
                    .reserve(claim(at("09:00").plus(QUARTER.multipliedBy(i % 3)), 4), "somewhere")
                    .cache();
            outcome.subscribe();
            outcomes.add(outcome);
        }
        unlockIt();

        List<Outcome> all = Flux.concat(outcomes).collectList().block(PATIENCE);

        assertThat(all.getFirst()).isInstanceOf(Outcome.Reserved.class);
        assertThat(all.subList(1, 50)).containsOnly(Outcome.Refused.RESERVATION_CONFLICT);
    }

    @Test
    void everybodyIsServedInOrderOfArrival() {
        lockTheRoomFromElsewhere();
        List<Integer> places = new ArrayList<>(IntStream.range(0, 60).boxed().toList());
        Collections.shuffle(places, new Random(1));
        List<Mono<Outcome>> outcomes = places.stream()
                .map(place -> reserving
                        .reserve(claim(at("06:00").plus(QUARTER.multipliedBy(place)), 1), "somewhere")
                        .cache())
                .toList();
        outcomes.forEach(Mono::subscribe);
        unlockIt();

        List<Outcome> all = Flux.concat(outcomes).collectList().block(PATIENCE);

        assertThat(all)
                .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Reserved.class))
                .extracting(
                        outcome -> ((Outcome.Reserved) outcome).reservation().id())
                .isSorted();
    }

    @Test
    void aCrowdThatWaitsForARoomTakesNoConnectionFromTheOthers() {
        List<Long> quiet = times();
        lockTheRoomFromElsewhere();
        List<Integer> answers = Collections.synchronizedList(new ArrayList<>());
        Disposable crowd = crowd().subscribe(answers::add);
        try {
            Awaitility.await().atMost(PATIENCE).until(() -> queues.waiting() == CROWD);

            Awaitility.await() // for what the service does on its own
                    .atMost(PATIENCE)
                    .until(() -> common.getMetrics().orElseThrow().acquiredSize() == 0);
            assertThat(common.getMetrics().orElseThrow().pendingAcquireSize()).isZero();
            List<Long> meanwhile = times();
            System.out.printf(
                    "p99 of a booking and a list: %d ms alone, %d ms while %d wait for a room%n",
                    p99(quiet), p99(meanwhile), CROWD);
            assertThat(p99(meanwhile))
                    .as("ms; a booking that had to wait for a room's connection would take seconds")
                    .isLessThan(Math.max(500, 10 * p99(quiet)));
            assertThat(queues.waiting()).as("still").isEqualTo(CROWD);
        } finally {
            unlockIt();
        }
        Awaitility.await().atMost(PATIENCE).until(() -> answers.size() == CROWD);
        crowd.dispose();
        assertThat(answers).containsOnly(201, 409);
        assertThat(lodger.active(room)).isPositive();
    }

    /** The twin: the same crowd waits for the lock on the connections that everybody uses. */
    @Test
    void aCrowdThatWaitedOnTheCommonConnectionsWouldStopTheOthers() {
        long slot = clinic.slot(1);
        lockTheRoomFromElsewhere();
        Mono<Void> naive = database.sql("SELECT pg_advisory_xact_lock(hashtextextended('room:%d', 0))".formatted(room))
                .then()
                .as(transaction::transactional);
        Disposable crowd = Flux.range(0, CROWD)
                .flatMap(i -> naive.onErrorComplete(), CROWD)
                .subscribe();
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> common.getMetrics().orElseThrow().acquiredSize()
                            == common.getMetrics().orElseThrow().getMaxAllocatedSize());

            long start = System.nanoTime();
            clinic.book(slot, Clinic.newPatient(), Clinic.newKey());

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("booked or refused, after a wait for those who wait for the room")
                    .isGreaterThan(Duration.ofSeconds(1));
        } finally {
            unlockIt();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> common.getMetrics().orElseThrow().acquiredSize() == 0);
            crowd.dispose();
        }
    }

    @Test
    void whoWaitsTooLongIsToldToComeAgain() {
        try (var impatient = TestServers.anotherInstance(service, "daybreak.rooms.longest-wait=700ms")) {
            var hasty = new Lodger(Clinic.at(impatient));
            lockTheRoomFromElsewhere();
            List<Answer> answers;
            try {
                answers = Lodger.all(IntStream.range(0, 10)
                        .mapToObj(i -> hasty.reserving(
                                room,
                                at("09:00").plus(QUARTER.multipliedBy(i)),
                                at("09:15").plus(QUARTER.multipliedBy(i))))
                        .toList());
            } finally {
                unlockIt();
            }

            assertThat(answers)
                    .allMatch(answer -> answer.is(503) && answer.code().equals("BUSY"))
                    .allMatch(answer -> answer.headers().containsKey("Retry-After"));
            assertThat(lodger.active(room)).isZero();
            assertThat(hasty.reserve(room, "09:00", "10:00").is(201)).isTrue();
        }
    }

    @Test
    void whoLeavesTheQueueReservesNothing() {
        lockTheRoomFromElsewhere();
        Disposable first = reserving.reserve(claim(at("09:00"), 1), "somewhere").subscribe();
        Awaitility.await().atMost(PATIENCE).until(() -> waitingForLocks() == 1);
        Disposable second =
                reserving.reserve(claim(at("10:00"), 1), "somewhere").subscribe();

        first.dispose();
        second.dispose();
        unlockIt();

        Awaitility.await().atMost(PATIENCE).until(() -> queues.waiting() == 0);
        assertThat(lodger.active(room)).as("what had begun").isEqualTo(1);
        assertThat(lodger.reserve(room, "10:00", "10:15").is(201)).isTrue();
    }

    private long waitingForLocks() {
        return clinic.number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    }

    /** Emits the status of each answer. Has connections of its own: those of the clinic's other callers are no more than these. */
    private Flux<Integer> crowd() {
        WebClient http = WebClient.builder()
                .baseUrl("http://127.0.0.1:" + service.getEnvironment().getRequiredProperty("local.server.port"))
                .clientConnector(
                        new ReactorClientHttpConnector(HttpClient.create(ConnectionProvider.create("crowd", CROWD))))
                .build();
        return Flux.range(0, CROWD)
                .flatMap(
                        i -> {
                            Instant start = at("00:00").plus(QUARTER.multipliedBy(i % 200));
                            return http.post()
                                    .uri("/api/rooms/" + room + "/reservations")
                                    .bodyValue(Lodger.body(start, start.plus(QUARTER)))
                                    .exchangeToMono(response -> response.releaseBody()
                                            .thenReturn(response.statusCode().value()));
                        },
                        CROWD);
    }

    /** What a booking and a list take together, in ms, a hundred times. */
    private List<Long> times() {
        List<Long> slots = clinic.slots(100, 2);
        long doctor = clinic.number("SELECT doctor_id FROM time_slot WHERE id = " + slots.getFirst());
        LocalDate tomorrow = LocalDate.now(Lodger.BERLIN).plusDays(1);
        return slots.stream()
                .map(slot -> {
                    long start = System.nanoTime();
                    assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey())
                                    .is(201))
                            .isTrue();
                    assertThat(clinic.get("/api/doctors/" + doctor + "/slots?date=" + tomorrow)
                                    .is(200))
                            .isTrue();
                    return Duration.ofNanos(System.nanoTime() - start).toMillis();
                })
                .toList();
    }

    private static long p99(List<Long> times) {
        return times.stream().sorted().toList().get(times.size() * 99 / 100);
    }
}
