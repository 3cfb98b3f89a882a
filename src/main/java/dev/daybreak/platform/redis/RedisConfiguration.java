package dev.daybreak.platform.redis;

import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.SocketOptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;

@Configuration(proxyBeanMethods = false)
class RedisConfiguration {

    /** Commands under way at most. Without a bound, Lettuce queues whatever comes while Redis is slow. */
    private static final int REQUEST_QUEUE = 20_000;

    @Bean
    LettuceClientOptionsBuilderCustomizer boundedRedis() {
        return options -> options.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(REQUEST_QUEUE)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(Duration.ofSeconds(1))
                        .tcpNoDelay(true)
                        .keepAlive(true)
                        .build());
    }

    @Bean
    RedisCircuit redisCircuit(ReactiveRedisConnectionFactory connections, MeterRegistry meters) {
        return new RedisCircuit(connections, meters);
    }
}
