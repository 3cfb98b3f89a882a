package dev.daybreak.availability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.DaybreakTest;
import dev.daybreak.availability.day.DoctorDay;
import dev.daybreak.availability.day.SlotJson;
import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.schedule.Slot;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

/** Two instances on one Redis, in every order that could leave a list from before a change in it. */
@DaybreakTest
class DayCacheTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    @Autowired
    ReactiveRedisConnectionFactory connections;

    @Autowired
    RedisCircuit circuit;

    @Autowired
    ReactiveStringRedisTemplate redis;

    private final SlotJson json = new SlotJson(tools.jackson.databind.json.JsonMapper.shared());
    private DayCache here;
    private DayCache there;
    private DoctorDay day;

    @BeforeEach
    void startTwoInstances() {
        redis.hasKey("warm-up").block(PATIENCE);
        here = instance();
        there = instance();
        day = new DoctorDay(
                ThreadLocalRandom.current().nextLong(1L << 40, 1L << 50), LocalDate.of(2026, 10, 12), ZoneOffset.UTC);
    }

    private DayCache instance() {
        var settings = new ListSettings(Duration.ofSeconds(4), Duration.ZERO, 10, 10);
        return new DayCache(connections, circuit, settings, Clock.systemUTC(), new SimpleMeterRegistry());
    }

    @Test
    void oneInstanceFindsWhatTheOtherKept() {
        DayList kept = list(5, Instant.now());
        here.keep(day, kept, AT_ONCE);

        DayList found = awaitFound(there);

        assertThat(text(found)).isEqualTo(text(kept)).contains("\"remaining\":5");
        assertThat(found.loadedAt()).isEqualTo(kept.loadedAt());
        assertThat(found.rendition(true, true).body())
                .isEqualTo(kept.rendition(true, true).body());
        assertThat(found.rendition(false, false).etag())
                .isEqualTo(kept.rendition(false, false).etag());
        assertThat(redis.getExpire(key()).block(PATIENCE))
                .isBetween(Duration.ofMillis(2_000), Duration.ofMillis(4_000));
    }

    @Test
    void aLoaderThatReadBeforeTheCommitCannotStoreAfterIt() {
        DayList readBefore = list(5, Instant.now());
        here.invalidate(day);
        awaitTombstone();

        there.keep(day, readBefore, AT_ONCE);

        assertThat(find(there)).isNull();
        awaitNoKey();
        assertThat(find(there)).isNull();
    }

    @Test
    void theNaiveDeleteLeavesAStaleList() {
        DayList readBefore = list(5, Instant.now());
        redis.delete(key()).block(PATIENCE);

        there.keep(day, readBefore, AT_ONCE);

        assertThat(text(awaitFound(here))).contains("\"remaining\":5");
    }

    @Test
    void aChangeReplacesWhatAnInstanceKeptBefore() {
        here.keep(day, list(5, Instant.now()), AT_ONCE);
        awaitFound(there);

        there.invalidate(day);
        awaitTombstone();

        assertThat(find(here)).isNull();
        assertThat(find(there)).isNull();
    }

    @Test
    void whoReadForLongerThanATombstoneStandsStoresNothing() {
        here.keep(day, list(5, Instant.now()), Tombstones.REPEAT);
        here.keep(day, list(5, Instant.now()), Tombstones.REPEAT.minusMillis(101));
        awaitFound(there);
        redis.delete(key()).block(PATIENCE);
        here.keep(day, list(5, Instant.now()), Tombstones.REPEAT);
        Awaitility.await().during(Duration.ofMillis(100)).until(() -> find(there) == null);
    }

    @Test
    void aDayUnderFireIsCachedAgainOnceItIsQuiet() {
        for (int i = 0; i < 1_000; i++) {
            here.invalidate(day);
        }
        awaitTombstone();
        awaitNoKey();
        here.keep(day, list(3, Instant.now()), AT_ONCE);
        assertThat(text(awaitFound(there))).contains("\"remaining\":3");
        assertThat(text(awaitFound(here))).contains("\"remaining\":3");
    }

    @Test
    void doesNotBelieveAListThatIsOverByTheClockOrNonsense() {
        here.keep(day, list(5, Instant.now().minusSeconds(5)), AT_ONCE);
        Awaitility.await().until(() -> Boolean.TRUE.equals(redis.hasKey(key()).block(PATIENCE)));
        assertThat(find(there)).isNull();

        redis.opsForValue().set(key(), "no list").block(PATIENCE);
        assertThat(find(there)).isNull();
        redis.opsForValue().set(key(), "\u0001cut off").block(PATIENCE);
        assertThat(find(there)).isNull();
    }

    private DayList list(int remaining, Instant loaded) {
        Instant start = loaded.plusSeconds(86_400);
        var slot =
                new Slot(1, day.doctorId(), start, start.plusSeconds(900), 5, 5 - remaining, Instant.EPOCH, false, 0);
        return DayList.of(List.of(slot), loaded, json);
    }

    private @Nullable DayList find(DayCache instance) {
        return instance.find(day).block(PATIENCE);
    }

    private DayList awaitFound(DayCache instance) {
        return Awaitility.await().atMost(PATIENCE).until(() -> find(instance), found -> found != null);
    }

    private void awaitTombstone() {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .until(() -> "".equals(redis.opsForValue().get(key()).block(PATIENCE)));
    }

    private void awaitNoKey() {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> Boolean.FALSE.equals(redis.hasKey(key()).block(PATIENCE)));
    }

    private String key() {
        return "slots:{" + day.doctorId() + ":2026-10-12}";
    }

    private static String text(DayList list) {
        return new String(list.rendition(false, false).body(), StandardCharsets.UTF_8);
    }
}
