package dev.daybreak.room.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import dev.daybreak.TestServers;
import dev.daybreak.room.LentRoom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Flux;

/** Without Redis nothing can be held, and everything else goes on. */
@DaybreakTest
class RoomHoldOutageTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Instant NINE =
            Instant.now().plus(4, ChronoUnit.DAYS).truncatedTo(ChronoUnit.DAYS).plus(9, ChronoUnit.HOURS);
    private static final Instant TEN = NINE.plus(1, ChronoUnit.HOURS);
    private static final Instant ELEVEN = TEN.plus(1, ChronoUnit.HOURS);

    @Autowired
    ApplicationContext instance;

    @Test
    void reservationsAreMadeAndStayCorrectAndHoldsAreUnavailable() {
        var server = instance.getBean(DataRedisConnectionDetails.class).getStandalone();
        try (FaultyProxy redis = FaultyProxy.to(server.getHost(), server.getPort());
                ConfigurableApplicationContext other = TestServers.anotherInstance(
                        instance,
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + redis.port(),
                        "daybreak.rooms.hash-strength=4")) {
            Clinic clinic = Clinic.at(other);
            LentRoom room = LentRoom.of(clinic);
            Answer hold = room.hold(NINE, TEN);
            assertThat(hold.is(201)).isTrue();

            redis.cut();
            for (Answer refused : List.of(
                    holdOnce(clinic, room),
                    clinic.send(
                            HttpMethod.PUT,
                            "/api/rooms/" + room.id() + "/holds/" + hold.id(),
                            Map.of("Hold-Token", hold.token()),
                            null),
                    clinic.send(
                            HttpMethod.DELETE,
                            "/api/rooms/" + room.id() + "/holds/" + hold.id(),
                            Map.of("Hold-Token", hold.token()),
                            null))) {
                assertThat(refused.status().value()).isEqualTo(503);
                assertThat(refused.code()).isEqualTo("UNAVAILABLE");
                assertThat(refused.headers()).containsKey("Retry-After");
            }
            List<Answer> crowd = Objects.requireNonNull(Flux.range(0, 20)
                    .flatMap(i -> room.reserving(TEN, ELEVEN, null), 20)
                    .collectList()
                    .block(PATIENCE));
            assertThat(crowd).filteredOn(answer -> answer.is(201)).hasSize(1);
            assertThat(crowd)
                    .filteredOn(answer -> answer.code().equals("RESERVATION_CONFLICT"))
                    .hasSize(19);
            assertThat(room.reserve(NINE, TEN, hold.token()).is(201)).isTrue();
            assertThat(clinic.get("/api/rooms/board").is(200)).isTrue();

            redis.resume();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> holdOnce(clinic, room).code().equals("RESERVATION_CONFLICT"));
            assertThat(room.reserved()).isEqualTo(2);
            assertThat(clinic.brokenInvariants()).isEmpty();
        }
    }

    private static Answer holdOnce(Clinic clinic, LentRoom room) {
        return clinic.send(
                HttpMethod.POST,
                "/api/rooms/" + room.id() + "/holds",
                Map.of(),
                Map.of("startAt", TEN.toString(), "endAt", ELEVEN.toString()));
    }
}
