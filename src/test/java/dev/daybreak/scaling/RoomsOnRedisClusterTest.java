package dev.daybreak.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import dev.daybreak.room.LentRoom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** Two instances on a Redis in cluster mode: rooms are held and shown as on a single one. */
@DaybreakTest
class RoomsOnRedisClusterTest {

    private static final Instant NINE =
            Instant.now().plus(5, ChronoUnit.DAYS).truncatedTo(ChronoUnit.DAYS).plus(9, ChronoUnit.HOURS);
    private static final Instant TEN = NINE.plus(1, ChronoUnit.HOURS);
    private static final Instant ELEVEN = NINE.plus(2, ChronoUnit.HOURS);

    private static RedisCluster cluster;
    private static ConfigurableApplicationContext one;
    private static ConfigurableApplicationContext other;

    @BeforeAll
    static void start(@Autowired ApplicationContext here) throws Exception {
        cluster = RedisCluster.start();
        String[] properties = {
            "spring.data.redis.cluster.nodes=" + cluster.nodes(),
            "spring.data.redis.timeout=5s" // on a busy machine too
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
    void holdsExtendsReleasesAndReservesWhateverNodeHasTheRoom() {
        IntStream.range(0, 12).forEach(i -> {
            LentRoom room = LentRoom.of(Clinic.at(one));
            LentRoom there = room.at(Clinic.at(other));
            Answer hold = room.hold(NINE, TEN);
            assertThat(hold.is(201)).as("%s", hold).isTrue();
            assertThat(there.hold(NINE, ELEVEN).code()).isEqualTo("HOLD_CONFLICT");
            assertThat(there.reserve(NINE, ELEVEN, null).code()).isEqualTo("HOLD_CONFLICT");
            assertThat(there.extend(hold).is(200)).isTrue();
            assertThat(there.reserve(NINE, TEN, hold.token()).is(201)).isTrue();
            assertThat(there.extend(hold).code()).isEqualTo("HOLD_NOT_FOUND");
            assertThat(there.release(there.hold(TEN, ELEVEN)).is(204)).isTrue();
        });
        assertThat(Clinic.at(one).brokenInvariants()).isEmpty();
    }

    @Test
    void showsAtOneInstanceWhatIsHeldAtTheOther() {
        LentRoom room = LentRoom.of(Clinic.at(one));
        Answer hold = room.hold(NINE, TEN);

        await().atMost(Duration.ofSeconds(10))
                .until(() -> Clinic.at(other)
                        .get("/api/rooms/board?zone=UTC&date=" + NINE.toString().substring(0, 10))
                        .body()
                        .toString()
                        .contains("id=" + hold.id()));
    }
}
