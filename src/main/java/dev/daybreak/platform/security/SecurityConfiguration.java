package dev.daybreak.platform.security;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    @Bean
    Callers callers() {
        return new Callers();
    }
}
