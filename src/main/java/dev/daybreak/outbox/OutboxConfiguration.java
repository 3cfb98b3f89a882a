package dev.daybreak.outbox;

import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.web.ApiRoutes;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.r2dbc.autoconfigure.ConnectionFactoryOptionsBuilderCustomizer;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OutboxSettings.class)
class OutboxConfiguration {

    @Bean
    OutboxDatabase outboxDatabase(
            R2dbcConnectionDetails details, ObjectProvider<ConnectionFactoryOptionsBuilderCustomizer> customizers) {
        return new OutboxDatabase(details, customizers.orderedStream().toList());
    }

    @Bean
    Events outboxEvents(OutboxDatabase database, Clock clock, OutboxSettings settings) {
        return new Events(database, clock, settings);
    }

    @Bean
    OutboxMetrics outboxMetrics(MeterRegistry meters, Clock clock) {
        return new OutboxMetrics(meters, clock);
    }

    @Bean
    Consumers outboxConsumers(ObjectProvider<EventConsumer> consumers, OutboxSettings settings) {
        return new Consumers(consumers.orderedStream().toList(), settings.deliveryTimeout());
    }

    /** To the topic if there is one. */
    @Bean
    OutboxRelay outboxRelay(
            Events events,
            OutboxDatabase database,
            Consumers consumers,
            ObjectProvider<KafkaTopic> topic,
            OutboxSettings settings,
            OutboxMetrics metrics,
            Clock clock) {
        Destination destination = topic.getIfAvailable();
        return new OutboxRelay(
                events,
                new Lease(database.sessions()),
                new Deliveries(destination == null ? consumers : destination, metrics, settings.maxAttempts()),
                settings,
                metrics,
                clock);
    }

    @Bean
    OutboxPruner outboxPruner(Events events, Clock clock, OutboxSettings settings) {
        return new OutboxPruner(events, clock, settings);
    }

    @Bean
    ApiRoutes outboxRoutes(
            Events events, DatabaseClient database, AuditTrail trail, TransactionalOperator transaction) {
        return OutboxRoutes.of(events, database, trail, transaction);
    }
}
