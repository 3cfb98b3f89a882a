package dev.daybreak.platform.rollout;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.Assert;
import reactor.netty.http.HttpResources;
import reactor.netty.resources.LoopResources;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RolloutSettings.class)
class RolloutConfiguration {

    @Bean
    Draining draining(RolloutSettings settings, LifecycleProperties lifecycle) {
        Assert.isTrue(
                settings.drain().compareTo(lifecycle.getTimeoutPerShutdownPhase()) < 0,
                "daybreak.rollout.drain must be shorter than spring.lifecycle.timeout-per-shutdown-phase");
        return new Draining(settings.drain());
    }

    @Bean
    WarmStart warmStart(
            ObjectProvider<WarmUp> parts,
            RolloutSettings settings,
            Environment environment,
            ObjectProvider<LoopResources> loops) {
        return new WarmStart(
                parts.orderedStream().toList(),
                settings.warmUp(),
                environment,
                loops.getIfAvailable(HttpResources::get));
    }
}
