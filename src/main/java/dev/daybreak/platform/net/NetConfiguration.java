package dev.daybreak.platform.net;

import io.netty.handler.codec.compression.Zstd;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.netty.resources.LoopResources;

/**
 * One set of event loops, a thread a core, for the HTTP server and Redis: with a set each, every answer hops between threads
 * that compete for the same cores. PostgreSQL, which answers many requests at once, has its own.
 */
@Configuration(proxyBeanMethods = false)
class NetConfiguration {

    @Bean(destroyMethod = "dispose")
    LoopResources eventLoops() {
        var loops = LoopResources.create("daybreak-loop", Runtime.getRuntime().availableProcessors(), true);
        Zstd.isAvailable(); // unpacks Kafka's native library, which an event loop would do at the first answer it reads
        loops.onServer(LoopResources.DEFAULT_NATIVE).forEach(HomeLoop::introduce);
        return loops;
    }

    @Bean
    ReactorResourceFactory reactorResourceFactory(LoopResources loops) {
        var resources = new ReactorResourceFactory();
        resources.setUseGlobalResources(false);
        resources.setLoopResources(loops);
        return resources;
    }

    @Bean
    DatabaseLoops databaseLoops() {
        return new DatabaseLoops();
    }

    @Bean
    ClientResourcesBuilderCustomizer redisLoops(LoopResources loops) {
        return resources -> resources.eventLoopGroupProvider(new SharedLoops(loops));
    }
}
