package dev.daybreak.availability.feed;

import dev.daybreak.availability.day.SlotChannel;
import dev.daybreak.availability.day.SlotJson;
import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.schedule.Doctors;
import dev.daybreak.schedule.Slots;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationPredicate;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FeedSettings.class)
class FeedConfiguration {

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
            Slots slots, Doctors doctors, SlotJson json, Clock clock, FeedSettings settings, MeterRegistry meters) {
        return new LiveFeed(slots, doctors, json, clock, settings, meters);
    }

    /** A stream lasts as long as its client likes; as a request of an hour it would spoil every timer. */
    @Bean
    ObservationPredicate streamsAreNotTimed() {
        return (name, context) ->
                !(context instanceof ServerRequestObservationContext request && isStream(request.getCarrier()));
    }

    private static boolean isStream(@Nullable ServerHttpRequest request) {
        return request != null
                && MediaType.TEXT_EVENT_STREAM_VALUE.equals(request.getHeaders().getFirst(HttpHeaders.ACCEPT));
    }
}
