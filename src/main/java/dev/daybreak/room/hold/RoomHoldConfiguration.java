package dev.daybreak.room.hold;

import dev.daybreak.platform.answer.JsonAnswers;
import dev.daybreak.platform.problem.ProblemResponses;
import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.platform.web.ApiRoutes;
import dev.daybreak.room.Reservations;
import dev.daybreak.room.RoomSettings;
import dev.daybreak.room.RoomTimes;
import dev.daybreak.room.Rooms;
import java.time.Clock;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RoomHoldSettings.class)
class RoomHoldConfiguration {

    /** What a transaction may take beyond the wait for its turn. */
    private static final Duration TRANSACTION = Duration.ofSeconds(5);

    @Bean
    RoomHolds roomHolds(
            ReactiveStringRedisTemplate redis,
            RedisCircuit circuit,
            Rooms rooms,
            Reservations reservations,
            RoomSettings roomSettings,
            RoomHoldSettings settings,
            Clock clock,
            ApplicationEventPublisher events) {
        var keys = new RoomKeys(roomSettings.grid());
        Duration claimLife = roomSettings.longestWait().plus(TRANSACTION);
        var store = new HoldStore(redis, circuit, keys, settings, claimLife, clock);
        return new RoomHolds(store, rooms, reservations, events);
    }

    @Bean
    ApiRoutes roomHoldRoutes(RoomHolds holds, RoomTimes times, JsonAnswers answers, ProblemResponses problems) {
        return RoomHoldRoutes.of(new RoomHoldHandler(holds, times, answers, problems));
    }
}
