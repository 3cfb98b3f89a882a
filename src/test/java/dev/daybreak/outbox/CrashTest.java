package dev.daybreak.outbox;

import static dev.daybreak.outbox.Outbox.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import dev.daybreak.TestServers;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An instance killed at the worst moments, in a process of its own; another one carries on. */
@DaybreakTest
class CrashTest {

    private static final int BOOKINGS = 20;

    @Autowired
    ApplicationContext servers;

    Outbox outbox;
    Clinic clinic;

    @BeforeEach
    void aDatabaseOfItsOwn() {
        outbox = new Outbox(servers);
        clinic = Clinic.at(outbox.start("daybreak.outbox.relay=false"));
        Probe.createTable(clinic);
    }

    @AfterEach
    void stop() {
        outbox.close();
    }

    @Test
    void deliversWhatWasCommittedAndNotDeliveredWhenTheProcessWasKilled() throws Exception {
        book();
        try (var child = ChildProcess.instance(properties("daybreak.test.probe=hang-before"))) {
            await().atMost(PATIENCE).until(() -> carriesAnything());
            child.kill();
        }
        assertThat(Outbox.waiting(clinic)).isEqualTo(BOOKINGS);

        outbox.start("daybreak.test.probe=idempotent");

        Outbox.awaitDrained(clinic);
        assertEachHandledOnce();
        assertThat(clinic.number("SELECT max(deliveries) FROM handled")).isEqualTo(1);
    }

    @Test
    void deliversAgainWithTheSameIdWhatWasDeliveredAndNotMarkedWhenTheProcessWasKilled() throws Exception {
        book();
        try (var child = ChildProcess.instance(properties("daybreak.test.probe=hang-after"))) {
            await().atMost(PATIENCE).until(() -> clinic.number("SELECT count(*) FROM handled") == BOOKINGS);
            child.kill();
        }
        assertThat(Outbox.waiting(clinic)).isEqualTo(BOOKINGS);

        outbox.start("daybreak.test.probe=idempotent");

        Outbox.awaitDrained(clinic);
        assertEachHandledOnce();
        assertThat(clinic.number("SELECT min(deliveries) FROM handled")).isEqualTo(2);
    }

    @Test
    void publishesToKafkaOnceWhatWasCommittedWhenTheProcessWasKilledOnItsWayToTheBroker() throws Exception {
        try (var broker = Broker.start();
                var topic = new Topic(broker.servers(), "daybreak.appointments");
                var way = FaultyProxy.to("127.0.0.1", broker.port())) {
            way.pause();
            book();
            try (var child =
                    ChildProcess.instance(properties("spring.kafka.bootstrap-servers=127.0.0.1:" + way.port()))) {
                await().atMost(PATIENCE).until(() -> carriesAnything());
                child.kill();
            }
            assertThat(Outbox.waiting(clinic)).isEqualTo(BOOKINGS);

            outbox.start("spring.kafka.bootstrap-servers=" + broker.servers(), "daybreak.test.probe=idempotent");

            Outbox.awaitDrained(clinic);
            assertThat(topic.await(all -> all.size() >= BOOKINGS, PATIENCE)).hasSize(BOOKINGS);
            await().atMost(PATIENCE).until(() -> clinic.number("SELECT count(*) FROM handled") == BOOKINGS);
            assertEachHandledOnce();
        }
    }

    @Test
    void publishesToKafkaAgainWithTheSameIdWhatWasPublishedAndNotMarked() throws Exception {
        try (var broker = Broker.start();
                var topic = new Topic(broker.servers(), "daybreak.appointments")) {
            String kafka = "spring.kafka.bootstrap-servers=" + broker.servers();
            // No mark gets through while the test has the lock.
            clinic.execute("""
                    CREATE FUNCTION hold_mark() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END $$""");
            clinic.execute(
                    "CREATE TRIGGER hold_mark BEFORE UPDATE ON outbox_event FOR EACH ROW EXECUTE FUNCTION hold_mark()");
            Connection lock = lock();
            book();
            try (var child = ChildProcess.instance(properties(
                    kafka, "daybreak.test.probe=idempotent", "spring.r2dbc.properties.applicationName=killed"))) {
                topic.await(records -> records.size() >= BOOKINGS, PATIENCE);
                child.kill();
            }
            // A mark that waits for the lock would be committed after the death of who sent it.
            await().atMost(PATIENCE)
                    .until(() -> clinic.number("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                                    + " WHERE application_name = 'killed'")
                            == 0);
            Mono.from(lock.close()).block(PATIENCE);
            assertThat(Outbox.waiting(clinic)).isEqualTo(BOOKINGS);

            outbox.start(kafka, "daybreak.test.probe=idempotent");

            Outbox.awaitDrained(clinic);
            List<ConsumerRecord<String, String>> records = topic.await(all -> all.size() >= 2 * BOOKINGS, PATIENCE);
            assertThat(records.stream()
                            .map(message -> Topic.header(message, "event-id"))
                            .distinct())
                    .as("the same ids again")
                    .hasSize(BOOKINGS);
            // Kafka gives the dead member's partitions to others when its session is over, after 45 seconds.
            await().atMost(PATIENCE.multipliedBy(3))
                    .until(() -> clinic.number("SELECT coalesce(sum(deliveries), 0) FROM handled") >= 2 * BOOKINGS);
            assertEachHandledOnce();
        }
    }

    private void assertEachHandledOnce() {
        assertThat(clinic.number("SELECT count(*) FROM outbox_event")).isEqualTo(BOOKINGS);
        assertThat(clinic.number("SELECT count(*) FROM handled")).isEqualTo(BOOKINGS);
        assertThat(clinic.number("SELECT count(*) FROM outbox_event e JOIN handled h ON h.event_id = e.id"))
                .isEqualTo(BOOKINGS);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(clinic.number("SELECT count(*) FROM notification"))
                        .as("a message for each channel")
                        .isEqualTo(2 * BOOKINGS));
        assertThat(clinic.number("SELECT count(DISTINCT event_id) FROM notification"))
                .isEqualTo(BOOKINGS);
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    /** Sixteen advisory locks and the sign of presence. */
    private boolean carriesAnything() {
        return clinic.number("SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database"
                        + " WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.objsubid = 2")
                == 17;
    }

    private Connection lock() {
        Connection session = Mono.from(outboxConnections().create()).block(PATIENCE);
        Flux.from(session.createStatement("SELECT 1 FROM pg_advisory_lock(4711)")
                        .execute())
                .flatMap(result -> result.map((row, metadata) -> 1))
                .blockLast(PATIENCE);
        return session;
    }

    private ConnectionFactory outboxConnections() {
        return outbox.first().getBean(OutboxDatabase.class).sessions();
    }

    private List<String> properties(String... own) {
        var properties = new ArrayList<>(TestServers.connectionProperties(servers));
        properties.removeIf(property -> property.startsWith("spring.r2dbc.url="));
        properties.add(outbox.database());
        properties.addAll(List.of(own));
        return properties;
    }

    /** Before the instance that is killed starts: what it reads of a partition it reads at once, and then nothing more. */
    private void book() {
        long slot = clinic.slot(BOOKINGS);
        for (int i = 0; i < BOOKINGS; i++) {
            assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey())
                            .status()
                            .value())
                    .isEqualTo(201);
        }
    }
}
