package dev.daybreak.platform.trail;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;

@Configuration(proxyBeanMethods = false)
class TrailConfiguration {

    @Bean
    AuditTrail auditTrail(DatabaseClient database, Clock clock) {
        return new AuditTrail(database, clock);
    }
}
