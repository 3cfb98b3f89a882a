package dev.daybreak.availability.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import dev.daybreak.MutableClock;
import dev.daybreak.TestServers;
import dev.daybreak.schedule.Slot;
import dev.daybreak.schedule.SlotChanged;
import dev.daybreak.schedule.SlotsPublished;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Two instances, the other one behind a Redis that can fail, and patients who watch at either. */
@DaybreakTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveFeedTest {

    private static final Duration A_SECOND = Duration.ofSeconds(1);
    private static final Duration NEXT_CHECK = Duration.ofSeconds(7);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Instant START = Instant.now().plus(2, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS);
    private static final LocalDate DAY = LocalDate.ofInstant(START, ZoneId.of("Europe/Berlin"));

    @Autowired
    ApplicationContext here;

    @Autowired
    MutableClock clock;

    @Autowired
    LiveFeed feed;

    FaultyProxy redis;
    ConfigurableApplicationContext there;
    Clinic clinic;
    Clinic other;
    long doctor;
    final List<Watcher> watchers = new ArrayList<>();

    @BeforeAll
    void startTheOtherInstance() {
        var server = here.getBean(DataRedisConnectionDetails.class).getStandalone();
        redis = FaultyProxy.to(server.getHost(), server.getPort());
        there = TestServers.anotherInstance(
                here,
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + redis.port(),
                "daybreak.feed.heartbeat=500ms",
                "daybreak.feed.canary=300ms",
                "daybreak.feed.max-subscribers=3");
        clinic = Clinic.at(here);
        other = Clinic.at(there);
    }

    @AfterAll
    void stopIt() {
        there.close();
        redis.close();
    }

    @BeforeEach
    void hireADoctor() {
        doctor = clinic.doctor();
    }

    @AfterEach
    void leave() {
        clock.reset();
        watchers.forEach(Watcher::close);
        watchers.clear();
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(feed.subscribers()).isZero();
            assertThat(feed.size()).isZero();
            assertThat(there.getBean(LiveFeed.class).subscribers()).isZero();
            assertThat(there.getBean(LiveFeed.class).size()).isZero();
        });
    }

    @Test
    void greetsWithASnapshotOfEverySlotWhateverTheClientHadBefore() {
        long open = slot(2);
        long full = slot(1);
        clinic.book(full, Clinic.newPatient(), Clinic.newKey());
        for (String lastEventId : new String[] {null, "0", "9999999", "nonsense"}) {
            Watcher watcher = watch(here, lastEventId).awaitSnapshot();

            ServerSentEvent<String> greeting = watcher.events().getFirst();
            assertThat(watcher.slots()).containsOnlyKeys(open, full);
            assertThat(watcher.state(full)).isEqualTo("FULL");
            assertThat(watcher.slots().get(open))
                    .containsOnlyKeys(
                            "id",
                            "doctorId",
                            "startAt",
                            "endAt",
                            "capacity",
                            "remaining",
                            "opensAt",
                            "state",
                            "version");
            assertThat(watcher.events())
                    .filteredOn(event -> event.retry() != null)
                    .isNotEmpty()
                    .allSatisfy(
                            event -> assertThat(event.retry()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4)));
            assertThat(greeting).isNotNull();
        }
    }

    @Test
    void tellsProxiesToKeepTheirHandsOff() {
        ResponseEntity<Void> head = client(here)
                .method(HttpMethod.HEAD)
                .uri(path())
                .header("Accept", "text/event-stream")
                .retrieve()
                .toBodilessEntity()
                .block(PATIENCE);

        assertThat(head.getHeaders().getContentType()).hasToString("text/event-stream");
        assertThat(head.getHeaders().getCacheControl()).contains("no-transform").contains("no-store");
        assertThat(head.getHeaders().getFirst("X-Accel-Buffering")).isEqualTo("no");
    }

    @Test
    void anUnknownDoctorIsNotFoundAndAnEmptyDayIsWatched() {
        assertThat(stream(here, "/api/doctors/99999999/slots?date=" + DAY).body())
                .containsEntry("code", "DOCTOR_NOT_FOUND");
        Watcher watcher = watch(here).awaitSnapshot();
        assertThat(watcher.slots()).isEmpty();

        long slot = slot(1);
        here.publishEvent(new SlotsPublished(doctor, START, START.plusSeconds(900)));
        watcher.awaitRemaining(slot, 1, A_SECOND);
    }

    @Test
    void showsASeatTakenAndReturnedToEverybodyWithinASecond() {
        long slot = slot(1);
        List<Watcher> all = List.of(watch(here), watch(here), watch(there));
        all.forEach(Watcher::awaitSnapshot);
        for (Clinic at : List.of(clinic, other)) {
            long appointment =
                    at.book(slot, Clinic.newPatient(), Clinic.newKey()).id();
            all.forEach(watcher -> watcher.awaitRemaining(slot, 0, A_SECOND));
            at.cancel(appointment);
            all.forEach(watcher -> watcher.awaitRemaining(slot, 1, A_SECOND));
        }
        assertThat(all.getFirst().named("snapshot")).hasSize(1);
    }

    @Test
    void showsAHeldSeatAsTakenUntilItIsReleasedOrItsTimeIsOver() {
        long slot = slot(1);
        List<Watcher> watching =
                List.of(watch(here).awaitSnapshot(), watch(there).awaitSnapshot());

        Clinic.Answer held = clinic.hold(slot, Clinic.newPatient(), Clinic.newKey());
        watching.forEach(watcher -> watcher.awaitRemaining(slot, 0, A_SECOND));
        clinic.release(held.id(), held.body().get("token"));
        watching.forEach(watcher -> watcher.awaitRemaining(slot, 1, A_SECOND));

        clinic.hold(slot, Clinic.newPatient(), Clinic.newKey());
        watching.forEach(watcher -> watcher.awaitRemaining(slot, 0, A_SECOND));
        clock.advance(Duration.ofMinutes(5));
        watching.forEach(watcher -> watcher.awaitRemaining(slot, 1, NEXT_CHECK));
    }

    @Test
    void nothingIsShownBeforeItIsCommittedAndEverybodyEndsOnTheTruth() {
        List<Long> slots = IntStream.range(0, 8).mapToObj(i -> slot(3)).toList();
        List<Watcher> all = List.of(watch(here), watch(there));
        all.forEach(Watcher::awaitSnapshot);
        var random = new Random(3);
        var booked = new ConcurrentLinkedQueue<Long>();

        Flux.range(0, 400)
                .flatMap(
                        i -> {
                            Clinic at = i % 2 == 0 ? clinic : other;
                            Long ended = random.nextInt(3) == 0 ? booked.poll() : null;
                            return ended != null
                                    ? at.cancelling(ended).then()
                                    : at.booking(slots.get(random.nextInt(8)), Clinic.newPatient(), Clinic.newKey())
                                            .doOnNext(answer -> {
                                                if (answer.is(201)) {
                                                    booked.add(answer.id());
                                                }
                                            })
                                            .then();
                        },
                        16)
                .blockLast(PATIENCE);

        for (Watcher watcher : all) {
            for (long slot : slots) {
                watcher.awaitWithin(A_SECOND, () -> {
                    assertThat(watcher.version(slot))
                            .isEqualTo(clinic.number("SELECT version FROM time_slot WHERE id = " + slot));
                    assertThat(watcher.remaining(slot)).isEqualTo((int) (3 - clinic.bookedCount(slot)));
                });
            }
        }
    }

    @Test
    void anUncommittedChangeIsNotShown() {
        long slot = slot(1);
        Watcher watcher = watch(here).awaitSnapshot();
        var database = here.getBean(org.springframework.r2dbc.core.DatabaseClient.class);
        var transaction = here.getBean(org.springframework.transaction.reactive.TransactionalOperator.class);

        database.sql("UPDATE time_slot SET booked_count = 1, version = version + 1 WHERE id = " + slot)
                .then()
                .then(Mono.delay(Duration.ofMillis(5_500)))
                .then(Mono.fromRunnable(
                        () -> assertThat(watcher.remaining(slot)).isEqualTo(1)))
                .then(database.sql("UPDATE time_slot SET booked_count = 0 WHERE id = " + slot)
                        .then())
                .as(transaction::transactional)
                .block(PATIENCE);
        watcher.awaitWithin(NEXT_CHECK, () -> assertThat(watcher.version(slot)).isEqualTo(1));
    }

    @Test
    void aChangeOfWhichNoMessageCameShowsAtTheNextCheck() {
        long slot = slot(2);
        Watcher watcher = watch(here).awaitSnapshot();

        clinic.execute("UPDATE time_slot SET capacity = 9, version = version + 1 WHERE id = " + slot);
        long added = slot(4);

        watcher.awaitRemaining(slot, 9, NEXT_CHECK);
        watcher.awaitRemaining(added, 4, NEXT_CHECK);
    }

    @Test
    void followsADayOfAnotherZone() {
        long slot = slot(1);
        LocalDate day = LocalDate.ofInstant(START, ZoneId.of("Asia/Tokyo"));
        Watcher watcher = keep(Watcher.of(here, "/api/doctors/" + doctor + "/slots?zone=Asia/Tokyo&date=" + day))
                .awaitSnapshot();

        clinic.book(slot, Clinic.newPatient(), Clinic.newKey());

        watcher.awaitRemaining(slot, 0, A_SECOND);
    }

    @Test
    void theOpeningAndTheStartAreEventsToo() {
        Instant opening = Instant.parse("2026-10-02T05:00:00Z");
        long slot = clinic.slot(doctor, START, Duration.ofMinutes(15), 1, opening);
        clock.set(opening.minusSeconds(1));
        Watcher watcher = watch(here).awaitSnapshot();
        assertThat(watcher.state(slot)).isEqualTo("NOT_OPEN_YET");

        clock.set(opening);
        watcher.awaitWithin(A_SECOND, () -> assertThat(watcher.state(slot)).isEqualTo("OPEN"));
        clock.set(START);
        watcher.awaitWithin(A_SECOND, () -> assertThat(watcher.state(slot)).isEqualTo("PAST"));
        assertThat(watcher.named("slots")).hasSize(2);
    }

    @Test
    void beatsWhileNothingHappens() {
        Watcher watcher = watch(there).awaitSnapshot();
        Awaitility.await()
                .pollDelay(Duration.ofMillis(2_600))
                .untilAsserted(() -> assertThat(watcher.events())
                        .filteredOn(event -> event.comment() != null)
                        .hasSizeBetween(5, 12));
    }

    @Test
    void atTheLimitOthersAreSentAwayAndThoseWithinStay() {
        long slot = slot(5);
        List<Watcher> within = List.of(watch(there), watch(there), watch(there));
        within.forEach(Watcher::awaitSnapshot);

        Clinic.Answer refused = stream(there, path());
        assertThat(refused.status().value()).isEqualTo(503);
        assertThat(refused.code()).isEqualTo("BUSY");
        assertThat(refused.headers()).containsKey("Retry-After");
        assertThat(refused.headers().get("Content-Type")).startsWith("application/problem+json");

        other.book(slot, Clinic.newPatient(), Clinic.newKey());
        within.forEach(watcher -> watcher.awaitRemaining(slot, 4, A_SECOND));
        within.getFirst().close();
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> there.getBean(LiveFeed.class).subscribers() == 2);
        watch(there).awaitSnapshot();
    }

    @Test
    void withoutRedisChangesShowAtOnceHereAndWithinSecondsElsewhere() {
        long slot = slot(5);
        Watcher local = watch(there).awaitSnapshot();
        Watcher remote = watch(here).awaitSnapshot();
        redis.cut();
        try {
            other.book(slot, Clinic.newPatient(), Clinic.newKey());
            local.awaitRemaining(slot, 4, A_SECOND);
            remote.awaitRemaining(slot, 4, NEXT_CHECK);
        } finally {
            redis.resume();
        }
        showsChangesQuicklyAgain(slot, clinic, local);
        showsChangesQuicklyAgain(slot, other, remote);
    }

    @Test
    void aSubscriptionThatFellSilentIsMadeAnew() {
        long slot = slot(30);
        Watcher watcher = watch(there).awaitSnapshot();
        clinic.book(slot, Clinic.newPatient(), Clinic.newKey());
        watcher.awaitRemaining(slot, 29, A_SECOND);
        long subscriptions = subscriptions();

        redis.freezeConnections();
        showsChangesQuicklyAgain(slot, clinic, watcher);

        redis.resume();
        showsChangesQuicklyAgain(slot, clinic, watcher);
        showsChangesQuicklyAgain(slot, other, watch(here).awaitSnapshot());
        Awaitility.await().atMost(PATIENCE).until(() -> subscriptions() == subscriptions);
    }

    private void showsChangesQuicklyAgain(long slot, Clinic from, Watcher to) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            long appointment =
                    from.book(slot, Clinic.newPatient(), Clinic.newKey()).id();
            from.cancel(appointment);
            long version = clinic.number("SELECT version FROM time_slot WHERE id = " + slot);
            Instant limit = Instant.now().plusMillis(500);
            while (to.version(slot) < version && Instant.now().isBefore(limit)) {
                Thread.onSpinWait();
            }
            return to.faults().isEmpty() && to.version(slot) >= version;
        });
    }

    private long subscriptions() {
        return here.getBean(ReactiveStringRedisTemplate.class)
                .convertAndSend("daybreak:slots", "test\n[]")
                .block(PATIENCE);
    }

    @Test
    void aReaderThatDoesNotReadGetsTheLatestStateAndNoBacklog() throws Exception {
        List<Long> slots = IntStream.range(0, 300)
                .mapToObj(i -> clinic.slot(
                        doctor, START.plusSeconds(10L * i), Duration.ofSeconds(5), 1_000_000, Instant.EPOCH))
                .toList();
        double dropped = dropped();
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4096);
            socket.connect(new InetSocketAddress("127.0.0.1", port(here)));
            socket.getOutputStream()
                    .write(("GET " + path() + " HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            Watcher quick = watch(here).awaitSnapshot();
            Awaitility.await().atMost(PATIENCE).until(() -> feed.subscribers() == 2);

            int rounds = 0;
            while (dropped() == dropped && rounds < 300) {
                int version = ++rounds;
                slots.forEach(slot -> here.publishEvent(new SlotChanged(changed(slot, version), false)));
                quick.awaitWithin(
                        PATIENCE,
                        () -> assertThat(quick.version(slots.getLast())).isEqualTo(version));
            }
            assertThat(dropped()).isGreaterThan(dropped);
            int last = rounds + 10;
            for (int version = rounds + 1; version <= last; version++) {
                Slot changed = changed(slots.getFirst(), version);
                here.publishEvent(new SlotChanged(changed, false));
                quick.awaitWithin(
                        PATIENCE,
                        () -> assertThat(quick.version(slots.getFirst())).isEqualTo(changed.version()));
            }

            socket.setSoTimeout(3_000);
            String read = readUntil(socket.getInputStream(), "\"version\":" + last + "}");
            assertThat(read.split("event: snapshot")).hasSizeGreaterThan(2);
            assertThat(read).doesNotContain("\"version\":" + (last - 1) + "}");
        }
    }

    @Test
    void whoReadsNothingForTooLongIsSentAway() throws Exception {
        try (ConfigurableApplicationContext strict =
                        TestServers.anotherInstance(here, "daybreak.feed.heartbeat=500ms", "daybreak.feed.stall=1s");
                Socket socket = new Socket()) {
            List<Long> slots = IntStream.range(0, 300)
                    .mapToObj(i -> clinic.slot(
                            doctor, START.plusSeconds(10L * i), Duration.ofSeconds(5), 1_000_000, Instant.EPOCH))
                    .toList();
            LiveFeed strictFeed = strict.getBean(LiveFeed.class);
            socket.setReceiveBufferSize(4096);
            socket.connect(new InetSocketAddress("127.0.0.1", port(strict)));
            socket.getOutputStream()
                    .write(("GET " + path() + " HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            Awaitility.await().atMost(PATIENCE).until(() -> strictFeed.subscribers() == 1);

            var version = new AtomicInteger();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> {
                        version.incrementAndGet();
                        slots.forEach(
                                slot -> strict.publishEvent(new SlotChanged(changed(slot, version.get()), false)));
                        return strictFeed.subscribers() == 0;
                    });
        }
    }

    @Test
    void comingAndGoingAThousandTimesLeavesNothing() {
        slot(1);
        long subscriptions = subscriptions();
        Flux.range(0, 1_000)
                .flatMap(
                        i -> client(here)
                                .get()
                                .uri(path())
                                .header("Accept", "text/event-stream")
                                .retrieve()
                                .bodyToFlux(String.class)
                                .take(1)
                                .then(),
                        20)
                .blockLast(Duration.ofSeconds(60));
        Awaitility.await().atMost(PATIENCE).until(() -> feed.subscribers() == 0 && feed.size() == 0);
        assertThat(subscriptions()).isEqualTo(subscriptions);
    }

    /** In a database of its own, as the schedules of other tests are continued in theirs now and then. */
    @Test
    void fiftyWhoWatchADayCostTheDatabaseWhatOneDoes() throws SQLException {
        try (var alone = TestServers.anotherInstance(here, TestServers.freshDatabase(here))) {
            Clinic quiet = Clinic.at(alone);
            long watched = quiet.doctor();
            quiet.slot(watched, START, Duration.ofMinutes(15), 1, Instant.EPOCH);
            keep(Watcher.of(alone, path(watched), null)).awaitSnapshot();
            long forOne = looksAtSlotsWithinTwoChecks(quiet);
            for (int i = 0; i < 49; i++) {
                keep(Watcher.of(alone, path(watched), null)).awaitSnapshot();
            }

            assertThat(looksAtSlotsWithinTwoChecks(quiet)).isLessThanOrEqualTo(forOne + 1);
        }
    }

    private static long looksAtSlotsWithinTwoChecks(Clinic clinic) {
        long before = looksAtSlots(clinic);
        Awaitility.await()
                .pollDelay(Duration.ofSeconds(10))
                .atMost(PATIENCE)
                .until(() -> looksAtSlots(clinic) > before);
        return looksAtSlots(clinic) - before;
    }

    private static long looksAtSlots(Clinic clinic) {
        clinic.number("SELECT count(*) FROM (SELECT pg_stat_force_next_flush()) f");
        return clinic.number("SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'uq_doctor_start'");
    }

    @Test
    void anInstanceThatEndsSendsItsWatchersAwayFirst() {
        long slot = slot(1);
        Watcher watcher;
        try (ConfigurableApplicationContext third = TestServers.anotherInstance(here)) {
            watcher = keep(Watcher.of(third, path())).awaitSnapshot();
            long began = System.nanoTime();
            third.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
        }
        watcher.await(() -> assertThat(watcher.hasEnded()).isTrue());
        assertThat(watcher.faults()).isEmpty();
        assertThat(watcher.events()).filteredOn(event -> event.retry() != null).hasSize(2);
        assertThat(watcher.remaining(slot)).isEqualTo(1);
    }

    @Test
    void streamsAreNotTimedAsRequests() {
        watch(here).awaitSnapshot().close();
        Awaitility.await().atMost(PATIENCE).until(() -> feed.subscribers() == 0);
        double longest = here
                .getBean(MeterRegistry.class)
                .find("http.server.requests")
                .tag("uri", "/api/doctors/{id}/slots")
                .timers()
                .stream()
                .mapToDouble(timer -> timer.max(java.util.concurrent.TimeUnit.SECONDS))
                .max()
                .orElse(0);
        assertThat(longest).isLessThan(2);
    }

    private Slot changed(long slot, int version) {
        return new Slot(
                slot,
                doctor,
                START.plusSeconds(slot % 400), // on the same day, whatever the hour
                START.plusSeconds(30_000),
                1_000_000,
                version,
                Instant.EPOCH,
                false,
                version);
    }

    private double dropped() {
        return here.getBean(MeterRegistry.class)
                .get("daybreak.feed.events")
                .tag("result", "dropped")
                .counter()
                .count();
    }

    private static String readUntil(InputStream input, String end) throws IOException {
        var text = new StringBuilder();
        byte[] bytes = new byte[65_536];
        while (text.indexOf(end) < 0) {
            int count = input.read(bytes);
            assertThat(count).isPositive();
            text.append(new String(bytes, 0, count, StandardCharsets.UTF_8));
        }
        return text.toString();
    }

    private int minute;

    private long slot(int capacity) {
        return clinic.slot(
                doctor, START.plusSeconds(60L * (minute++ % 50)), Duration.ofSeconds(30), capacity, Instant.EPOCH);
    }

    private Watcher watch(ApplicationContext instance) {
        return watch(instance, null);
    }

    private Watcher watch(ApplicationContext instance, String lastEventId) {
        return keep(Watcher.of(instance, path(), lastEventId));
    }

    private Watcher keep(Watcher watcher) {
        watchers.add(watcher);
        return watcher;
    }

    private String path() {
        return path(doctor);
    }

    private static String path(long doctor) {
        return "/api/doctors/" + doctor + "/slots?date=" + DAY;
    }

    private Clinic.Answer stream(ApplicationContext instance, String path) {
        return Clinic.at(instance).send(HttpMethod.GET, path, Map.of("Accept", "text/event-stream"), null);
    }

    private static int port(ApplicationContext instance) {
        return Integer.parseInt(instance.getEnvironment().getRequiredProperty("local.server.port"));
    }

    private static WebClient client(ApplicationContext instance) {
        return WebClient.create("http://127.0.0.1:" + port(instance));
    }
}
