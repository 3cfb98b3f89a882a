package dev.daybreak.availability.feed;

import dev.daybreak.availability.day.SlotChannel;
import dev.daybreak.availability.day.SlotJson;
import dev.daybreak.platform.feed.FeedSettings;
import dev.daybreak.platform.feed.OpenStreams;
import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.schedule.Doctors;
import dev.daybreak.schedule.Slots;
import java.time.Clock;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

@Configuration(proxyBeanMethods = false)
class LiveFeedConfiguration {

    @Bean
    SlotChannel slotChannel(
            LettuceConnectionFactory redis,
            RedisCircuit circuit,
            ApplicationEventPublisher events,
            FeedSettings settings) {
        return new SlotChannel(redis, circuit, events, settings.canary());
    }

    @Bean
    LiveFeed liveFeed(
            Slots slots, Doctors doctors, SlotJson json, Clock clock, FeedSettings settings, OpenStreams streams) {
        return new LiveFeed(slots, doctors, json, clock, settings, streams);
    }
}
