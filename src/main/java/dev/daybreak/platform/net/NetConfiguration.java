package dev.daybreak.platform.net;

import io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.r2dbc.autoconfigure.ConnectionFactoryOptionsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.netty.resources.LoopResources;

/**
 * One set of event loops, a thread a core, for the HTTP server, PostgreSQL and Redis. With a set each, every answer hops
 * between threads that compete for the same cores.
 */
@Configuration(proxyBeanMethods = false)
class NetConfiguration {

    @Bean(destroyMethod = "dispose")
    LoopResources eventLoops() {
        return LoopResources.create("daybreak-loop", Runtime.getRuntime().availableProcessors(), true);
    }

    @Bean
    ReactorResourceFactory reactorResourceFactory(LoopResources loops) {
        var resources = new ReactorResourceFactory();
        resources.setUseGlobalResources(false);
        resources.setLoopResources(loops);
        return resources;
    }

    @Bean
    ConnectionFactoryOptionsBuilderCustomizer databaseLoops(LoopResources loops) {
        return options -> options.option(PostgresqlConnectionFactoryProvider.LOOP_RESOURCES, loops);
    }

    @Bean
    ClientResourcesBuilderCustomizer redisLoops(LoopResources loops) {
        return resources -> resources.eventLoopGroupProvider(new SharedLoops(loops));
    }
}
