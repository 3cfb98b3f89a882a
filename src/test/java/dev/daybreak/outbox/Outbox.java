package dev.daybreak.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.TestServers;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** A database of its own, and instances on it that nobody else's relay interferes with. */
final class Outbox implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ApplicationContext servers;
    private final String database;
    private final List<ConfigurableApplicationContext> instances = new ArrayList<>();

    Outbox(ApplicationContext servers) {
        this.servers = servers;
        try {
            this.database = TestServers.freshDatabase(servers);
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    String database() {
        return database;
    }

    ConfigurableApplicationContext first() {
        return instances.getFirst();
    }

    ConfigurableApplicationContext start(String... properties) {
        var instance = TestServers.anotherInstance(
                servers,
                Stream.concat(
                                Stream.of(
                                        database,
                                        "daybreak.demo.enabled=false",
                                        "daybreak.outbox.backoff=100ms",
                                        "spring.lifecycle.timeout-per-shutdown-phase=8s"),
                                Stream.of(properties))
                        .toArray(String[]::new));
        instances.add(instance);
        return instance;
    }

    /** Writes so many events, spread evenly over aggregates nobody else has. */
    static void write(Clinic clinic, int events, int aggregates) {
        clinic.execute("""
                INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
                SELECT 'probe', 'p' || n %% %d, 'ProbeHappened', jsonb_build_object('schemaVersion', 1, 'n', n), now()
                FROM generate_series(1, %d) n""".formatted(aggregates, events));
    }

    static long waiting(Clinic clinic) {
        return clinic.number("SELECT count(*) FROM outbox_event WHERE published_at IS NULL AND dead_at IS NULL");
    }

    /** However long that takes, as long as it goes on. */
    static void awaitDrained(Clinic clinic) {
        long left = waiting(clinic);
        while (left > 0) {
            long before = left;
            await().atMost(PATIENCE).until(() -> waiting(clinic) < before);
            left = waiting(clinic);
        }
    }

    static double metric(ApplicationContext instance, String name) {
        var meter = instance.getBean(MeterRegistry.class).find(name);
        return meter.counter() != null ? meter.counter().count() : meter.gauge().value();
    }

    /** Each event once, and those of an aggregate in the order of writing. */
    static void assertOnceAndInOrder(List<OutboxEvent> arrived, int expected) {
        assertThat(arrived.stream().map(OutboxEvent::id))
                .doesNotHaveDuplicates()
                .hasSize(expected);
        assertInOrder(arrived);
    }

    /** Leaves out what has arrived before; the rest of each aggregate is in the order of writing. */
    static void assertInOrder(List<OutboxEvent> arrived) {
        Map<UUID, Boolean> known = new HashMap<>();
        Map<String, Long> latest = new HashMap<>();
        for (OutboxEvent event : arrived) {
            if (known.putIfAbsent(event.id(), true) == null) {
                Long before = latest.put(event.aggregateId(), event.sequence());
                assertThat(before == null || before < event.sequence())
                        .as("%s after %s", event, before)
                        .isTrue();
            }
        }
    }

    @Override
    public void close() {
        instances.forEach(ConfigurableApplicationContext::close);
    }
}
