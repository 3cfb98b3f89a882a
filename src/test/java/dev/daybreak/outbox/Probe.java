package dev.daybreak.outbox;

import dev.daybreak.Clinic;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/**
 * A consumer of events that tests look into, in instances that name it: {@code daybreak.test.probe} is what it is called, or how it
 * behaves in a process that is to be killed.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("daybreak.test.probe")
class Probe {

    /** What the probes of this process were given, in the order of arrival. */
    static final Queue<Seen> SEEN = new ConcurrentLinkedQueue<>();

    /** What they refuse. */
    static volatile Predicate<OutboxEvent> refuses = event -> false;

    record Seen(String probe, OutboxEvent event, boolean refused) {}

    static void reset() {
        SEEN.clear();
        refuses = event -> false;
    }

    static List<OutboxEvent> taken() {
        return SEEN.stream().filter(seen -> !seen.refused()).map(Seen::event).toList();
    }

    static List<OutboxEvent> taken(String aggregateId) {
        return taken().stream()
                .filter(event -> event.aggregateId().equals(aggregateId))
                .toList();
    }

    @Bean
    EventConsumer probingConsumer(DatabaseClient database, @Value("${daybreak.test.probe}") String name) {
        return switch (name) {
            case "hang-before" -> event -> Mono.never();
            case "hang-after" -> event -> handle(database, event).then(Mono.never());
            case "idempotent" -> event -> handle(database, event);
            default ->
                event -> Mono.fromRunnable(() -> {
                    boolean refused = refuses.test(event);
                    SEEN.add(new Seen(name, event, refused));
                    if (refused) {
                        throw new IllegalArgumentException("refused by the probe");
                    }
                });
        };
    }

    static void createTable(Clinic clinic) {
        clinic.execute(
                "CREATE TABLE handled (event_id uuid PRIMARY KEY, aggregateid text, deliveries integer NOT NULL)");
    }

    private static Mono<Void> handle(DatabaseClient database, OutboxEvent event) {
        return database.sql("""
                        INSERT INTO handled AS h (event_id, aggregateid, deliveries) VALUES (:id, :aggregate, 1)
                        ON CONFLICT (event_id) DO UPDATE SET deliveries = h.deliveries + 1
                        """)
                .bind("id", event.id())
                .bind("aggregate", event.aggregateId())
                .then();
    }
}
