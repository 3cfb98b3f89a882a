package dev.daybreak.platform.problem;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ProblemConfiguration {

    @Bean
    ProblemResponses problemResponses(ObjectProvider<Clock> clock, ObjectProvider<MeterRegistry> meters) {
        return new ProblemResponses(
                new ProblemMessages(),
                clock.getIfAvailable(Clock::systemUTC),
                meters.getIfAvailable(SimpleMeterRegistry::new));
    }

    @Bean
    ProblemExceptionHandler problemExceptionHandler(ProblemResponses responses) {
        return new ProblemExceptionHandler(responses);
    }
}
