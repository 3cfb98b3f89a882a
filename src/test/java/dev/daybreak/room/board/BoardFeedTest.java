package dev.daybreak.room.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import dev.daybreak.MutableClock;
import dev.daybreak.TestServers;
import dev.daybreak.room.LentRoom;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.springframework.http.HttpMethod;
import org.springframework.test.context.TestPropertySource;

/** Screens that show the board, at two instances, the other one behind a Redis that can fail. */
@DaybreakTest
@TestPropertySource(properties = "spring.data.redis.timeout=5s") // on a busy machine too
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BoardFeedTest {

    private static final Duration A_SECOND = Duration.ofSeconds(1);
    private static final Duration NEXT_CHECK = Duration.ofSeconds(7);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ZoneId CLINIC = ZoneId.of("Europe/Berlin");
    private static final Instant NINE =
            Instant.now().plus(3, ChronoUnit.DAYS).truncatedTo(ChronoUnit.DAYS).plus(9, ChronoUnit.HOURS);
    private static final Instant TEN = NINE.plus(1, ChronoUnit.HOURS);
    private static final String DAY = "?date=" + LocalDate.ofInstant(NINE, CLINIC);

    @Autowired
    ApplicationContext here;

    @Autowired
    MutableClock clock;

    @Autowired
    BoardFeed feed;

    FaultyProxy redis;
    ConfigurableApplicationContext there;
    Clinic clinic;
    LentRoom room;
    LentRoom roomThere;
    final List<BoardWatcher> watchers = new ArrayList<>();

    @BeforeAll
    void startTheOtherInstance() {
        var server = here.getBean(DataRedisConnectionDetails.class).getStandalone();
        redis = FaultyProxy.to(server.getHost(), server.getPort());
        there = TestServers.anotherInstance(
                here,
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + redis.port(),
                "spring.data.redis.timeout=2s",
                "daybreak.feed.canary=300ms",
                "daybreak.feed.max-subscribers=2",
                "daybreak.rooms.hash-strength=4");
        clinic = Clinic.at(here);
    }

    @AfterAll
    void stopIt() {
        there.close();
        redis.close();
    }

    @BeforeEach
    void openARoom() {
        room = LentRoom.of(clinic);
        roomThere = room.at(Clinic.at(there));
    }

    @AfterEach
    void leave() {
        clock.reset();
        watchers.forEach(BoardWatcher::close);
        watchers.clear();
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(feed.subscribers()).isZero();
            assertThat(feed.size()).isZero();
            assertThat(there.getBean(BoardFeed.class).subscribers()).isZero();
        });
    }

    @Test
    void greetsWithTheWholeBoardAndThenSendsOnlyRoomsThatChanged() {
        LentRoom quiet = LentRoom.of(clinic);
        room.reserve(NINE, TEN, null);
        BoardWatcher watcher = watch(here, DAY).awaitSnapshot();
        assertThat(watcher.entries(room.id())).hasSize(1);

        quiet.hold(NINE, TEN);
        watcher.awaitKinds(quiet.id(), A_SECOND, "HELD");

        assertThat(watcher.named("snapshot")).hasSize(1);
        assertThat(watcher.named("rooms"))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.data())
                        .contains("\"id\":" + quiet.id() + ",")
                        .doesNotContain("\"id\":" + room.id() + ","));
    }

    @Test
    void showsHoldsReservationsAndCancellationsToEverybodyWithinASecond() {
        List<BoardWatcher> all = List.of(watch(here, DAY), watch(here, DAY), watch(there, DAY));
        all.forEach(BoardWatcher::awaitSnapshot);
        for (LentRoom at : List.of(room, roomThere)) {
            Answer hold = at.hold(NINE, TEN);
            all.forEach(watcher -> watcher.awaitKinds(room.id(), A_SECOND, "HELD"));
            Answer extended = at.extend(hold);
            all.forEach(watcher -> watcher.awaitWithin(
                    A_SECOND,
                    () -> assertThat(watcher.entries(room.id()).getFirst())
                            .containsEntry("expiresAt", extended.body().get("expiresAt"))));
            Answer reserved = at.reserve(NINE, TEN, hold.token());
            all.forEach(watcher -> watcher.awaitKinds(room.id(), A_SECOND, "RESERVED"));
            at.cancel(reserved);
            all.forEach(watcher -> watcher.awaitKinds(room.id(), A_SECOND));
            at.release(at.hold(NINE, TEN));
            all.forEach(watcher -> watcher.awaitKinds(room.id(), A_SECOND));
        }
        assertThat(all)
                .allSatisfy(watcher -> assertThat(watcher.events().toString())
                        .doesNotContain("Mori")
                        .doesNotContain("token")
                        .doesNotContain("password"));
    }

    @Test
    void whatHappensOnAnotherDayIsNotSent() {
        BoardWatcher watcher = watch(here, DAY).awaitSnapshot();

        room.hold(NINE.plus(2, ChronoUnit.DAYS), TEN.plus(2, ChronoUnit.DAYS));
        room.hold(NINE, TEN);

        watcher.awaitKinds(room.id(), A_SECOND, "HELD");
    }

    @Test
    void theClockEndsHoldsAndChangesOccupants() {
        clock.set(NINE.minusSeconds(60));
        room.reserve(NINE, TEN, null);
        room.hold(TEN, TEN.plusSeconds(900));
        BoardWatcher watcher = watch(here, DAY).awaitSnapshot();
        assertThat(watcher.entries(room.id()))
                .extracting(entry -> entry.get("occupant"))
                .containsExactly("NEXT", null);

        clock.set(NINE);
        watcher.awaitWithin(
                A_SECOND,
                () -> assertThat(watcher.entries(room.id()))
                        .extracting(entry -> entry.get("occupant"))
                        .containsExactly("CURRENT", null));
        clock.set(NINE.plusSeconds(240));
        watcher.awaitKinds(room.id(), A_SECOND, "RESERVED");
        clock.set(TEN);
        watcher.awaitWithin(
                A_SECOND,
                () -> assertThat(watcher.entries(room.id()))
                        .extracting(entry -> entry.get("occupant"))
                        .containsExactly((Object) null));
    }

    @Test
    void todaysBoardClearsItselfAtTheClinicsMidnight() {
        Instant midnight =
                LocalDate.ofInstant(NINE, CLINIC).atStartOfDay(CLINIC).toInstant();
        clock.set(midnight.minusSeconds(3600));
        room.reserve(midnight.minusSeconds(1800), midnight.plusSeconds(1800), null);
        LentRoom evening = LentRoom.of(clinic);
        evening.reserve(midnight.minusSeconds(1800), midnight, null);
        BoardWatcher today = watch(here, "").awaitSnapshot();
        BoardWatcher thatDay = watch(
                        here, "?date=" + LocalDate.ofInstant(NINE, CLINIC).minusDays(1))
                .awaitSnapshot();
        BoardWatcher tokyo = watch(here, "?zone=Asia/Tokyo").awaitSnapshot();
        assertThat(today.entries(evening.id())).hasSize(1);

        clock.set(midnight);

        today.awaitWithin(A_SECOND, () -> {
            assertThat(today.date()).isEqualTo(LocalDate.ofInstant(NINE, CLINIC).toString());
            assertThat(today.entries(evening.id())).isEmpty();
            assertThat(today.entries(room.id()))
                    .extracting(entry -> entry.get("occupant"))
                    .containsExactly("CURRENT");
        });
        assertThat(today.named("snapshot")).hasSize(2);
        LentRoom later = LentRoom.of(clinic);
        later.hold(midnight.plusSeconds(3600), midnight.plusSeconds(7200));
        today.awaitKinds(later.id(), NEXT_CHECK, "HELD");
        assertThat(thatDay.date())
                .isEqualTo(LocalDate.ofInstant(NINE, CLINIC).minusDays(1).toString());
        assertThat(thatDay.entries(evening.id())).hasSize(1);
        assertThat(tokyo.named("snapshot"))
                .filteredOn(event -> !event.data().contains(tokyo.date().toString()))
                .isEmpty();
    }

    @Test
    void aNewRoomAndAChangeWithoutAMessageShowAtTheNextCheck() {
        BoardWatcher watcher = watch(here, DAY).awaitSnapshot();
        LentRoom added = LentRoom.of(clinic);
        watcher.awaitWithin(
                NEXT_CHECK,
                () -> assertThat(watcher.named("snapshot").getLast().data()).contains("\"id\":" + added.id() + ","));
        clinic.execute("UPDATE room SET seats = 77 WHERE id = " + added.id());
        watcher.awaitWithin(
                NEXT_CHECK, () -> assertThat(watcher.events().getLast().data()).contains("\"seats\":77"));
    }

    @Test
    void withoutRedisReservationsShowAtOnceHereAndWithinSecondsElsewhere() {
        BoardWatcher local = watch(there, DAY).awaitSnapshot();
        BoardWatcher remote = watch(here, DAY).awaitSnapshot();
        redis.cut();
        try {
            assertThat(roomThere.reserve(NINE, TEN, null).is(201)).isTrue();
            local.awaitKinds(room.id(), A_SECOND, "RESERVED");
            remote.awaitKinds(room.id(), NEXT_CHECK, "RESERVED");
        } finally {
            redis.resume();
        }
        Awaitility.await().atMost(PATIENCE).until(() -> {
            Answer hold = room.hold(TEN, TEN.plusSeconds(900));
            Instant limit = Instant.now().plusMillis(700);
            while (local.entries(room.id()).size() < 2 && Instant.now().isBefore(limit)) {
                Thread.onSpinWait();
            }
            boolean shown = local.entries(room.id()).size() == 2;
            room.release(hold);
            return shown;
        });
    }

    @Test
    void theLimitOfStreamsIsOneForAllFeeds() {
        watch(there, DAY).awaitSnapshot();
        watch(there, "").awaitSnapshot();

        for (String path : List.of("/api/rooms/board", "/api/doctors/" + clinic.doctor() + "/slots" + DAY)) {
            Answer refused = Clinic.at(there).send(HttpMethod.GET, path, Map.of("Accept", "text/event-stream"), null);
            assertThat(refused.code()).isEqualTo("BUSY");
            assertThat(refused.headers()).containsKey("Retry-After");
        }
    }

    @Test
    void soManyDaysAreWatchedAndNoMore() {
        LocalDate day = LocalDate.ofInstant(NINE, CLINIC);
        for (int i = 0; i < BoardFeed.MOST_BOARDS; i++) {
            watch(here, "?date=" + day.plusDays(i));
        }
        Awaitility.await().atMost(PATIENCE).until(() -> feed.size() == BoardFeed.MOST_BOARDS);

        assertThat(clinic.send(
                                HttpMethod.GET,
                                "/api/rooms/board?date=" + day.minusDays(1),
                                Map.of("Accept", "text/event-stream"),
                                null)
                        .code())
                .isEqualTo("BUSY");
        watch(here, "?date=" + day).awaitSnapshot();
    }

    private BoardWatcher watch(ApplicationContext instance, String query) {
        var watcher = new BoardWatcher(instance, query);
        watchers.add(watcher);
        return watcher;
    }
}
