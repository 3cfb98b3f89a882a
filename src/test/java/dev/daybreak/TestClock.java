package dev.daybreak;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

@TestConfiguration(proxyBeanMethods = false)
class TestClock {

    @Bean
    @Primary
    MutableClock mutableClock() {
        return new MutableClock();
    }
}
