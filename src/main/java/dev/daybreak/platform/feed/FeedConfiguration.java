package dev.daybreak.platform.feed;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationPredicate;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FeedSettings.class)
class FeedConfiguration {

    @Bean
    OpenStreams openStreams(FeedSettings settings, MeterRegistry meters) {
        return new OpenStreams(settings, meters);
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
