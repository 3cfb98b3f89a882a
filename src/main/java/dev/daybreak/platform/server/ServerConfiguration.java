package dev.daybreak.platform.server;

import dev.daybreak.platform.problem.ProblemResponses;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource;
import reactor.netty.NettyPipeline;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ServerSettings.class)
class ServerConfiguration {

    private static final String CODEC = NettyPipeline.HttpCodec;
    private static final String TRAFFIC = NettyPipeline.HttpTrafficHandler;

    @Bean
    Connections connections(ServerSettings settings, ObjectProvider<MeterRegistry> meters) {
        return new Connections(settings, meters.getIfAvailable(CompositeMeterRegistry::new));
    }

    @Bean
    NettyServerCustomizer connectionLimits(Connections connections, ProblemResponses problems) {
        var raw = new RawProblems(problems);
        return server -> server.doOnChannelInit((observer, channel, address) -> guard(channel, connections, raw));
    }

    private static void guard(Channel channel, Connections connections, RawProblems problems) {
        ChannelPipeline pipeline = channel.pipeline();
        // Absent with HTTP/2, which is for a load balancer to speak.
        if (pipeline.get(CODEC) != null && pipeline.get(TRAFFIC) != null) {
            var guard = new RequestGuard(connections, problems, channel);
            pipeline.addBefore(CODEC, "daybreak.firstByte", guard.firstByte());
            pipeline.addBefore(TRAFFIC, "daybreak.requestGuard", guard);
        }
    }

    @Bean
    SecurityHeaders securityHeaders(ServerSettings settings) {
        return new SecurityHeaders(settings.contentSecurityPolicy());
    }

    @Bean
    @Conditional(OriginsAllowed.class)
    @Order(Ordered.HIGHEST_PRECEDENCE + 20)
    CorsWebFilter corsFilter(ServerSettings settings) {
        var allowed = new CorsConfiguration();
        allowed.setAllowedOrigins(settings.cors().origins());
        allowed.setAllowedMethods(List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"));
        allowed.setAllowedHeaders(List.of("*"));
        allowed.setExposedHeaders(List.of(HttpHeaders.LOCATION, HttpHeaders.RETRY_AFTER, HttpHeaders.ETAG));
        // Credentials are headers that pages set themselves; there are no cookies to send along.
        allowed.setAllowCredentials(false);
        allowed.setMaxAge(Duration.ofHours(1));
        var paths = new UrlBasedCorsConfigurationSource();
        paths.registerCorsConfiguration("/api/**", allowed);
        return new CorsWebFilter(paths);
    }
}
