package dev.daybreak.platform.problem;

import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ProblemConfiguration {

    @Bean
    ProblemResponses problemResponses(ObjectProvider<Clock> clock) {
        return new ProblemResponses(new ProblemMessages(), clock.getIfAvailable(Clock::systemUTC));
    }

    @Bean
    ProblemExceptionHandler problemExceptionHandler(ProblemResponses responses) {
        return new ProblemExceptionHandler(responses);
    }
}
