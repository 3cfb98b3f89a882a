package dev.daybreak.outbox;

import static dev.daybreak.outbox.Outbox.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;

/** Events by way of Kafka, on a real broker. */
@DaybreakTest
class KafkaTest {

    private static final Duration OUTAGE = Duration.ofSeconds(Long.getLong("daybreak.test.outage", 5));

    private static Broker broker;

    @Autowired
    ApplicationContext servers;

    Outbox outbox;
    String name;
    Topic topic;

    @BeforeAll
    static void startTheBroker() throws Exception {
        broker = Broker.start();
    }

    @AfterAll
    static void stopTheBroker() throws Exception {
        broker.close();
    }

    @BeforeEach
    void aTopicOfItsOwn() {
        Probe.reset();
        outbox = new Outbox(servers);
        name = "topic-" + Clinic.newKey();
        topic = new Topic(broker.servers(), name);
    }

    @AfterEach
    void stop() {
        topic.close();
        outbox.close();
    }

    @Test
    void publishesEachEventUnderItsAppointmentWithItsIdAndHandsItToTheConsumers() {
        Clinic clinic = Clinic.at(start(broker.servers(), "daybreak.test.probe=a"));
        Answer booked = clinic.book(clinic.slot(1), Clinic.newPatient(), Clinic.newKey());
        clinic.cancel(booked.id());

        List<ConsumerRecord<String, String>> records = topic.await(read -> read.size() == 2, PATIENCE);

        assertThat(records).allSatisfy(message -> {
            assertThat(message.key()).isEqualTo(Long.toString(booked.id()));
            assertThat(message.value()).startsWith("{").contains("\"schemaVersion\": 1");
            assertThat(clinic.number("SELECT count(*) FROM outbox_event WHERE id = '%s' AND type = '%s' AND seq = %s"
                            .formatted(
                                    Topic.header(message, "event-id"),
                                    Topic.header(message, "type"),
                                    Topic.header(message, "sequence"))))
                    .isEqualTo(1);
        });
        assertThat(records.stream().map(message -> Topic.header(message, "type")))
                .containsExactly("AppointmentBooked", "AppointmentCancelled");
        await().atMost(PATIENCE).until(() -> Probe.taken().size() == 2);
        Outbox.assertOnceAndInOrder(Probe.taken(), 2);
        Outbox.awaitDrained(clinic);
    }

    /** {@code -Ddaybreak.test.outage=60} for a whole minute; the default only shows that it works. */
    @Test
    void booksAsWellWhileTheBrokerIsAwayAndPublishesInOrderWhenItIsBack() throws Exception {
        try (var own = ChildProcess.broker();
                var records = new Topic(own.servers(), name)) {
            ConfigurableApplicationContext instance = start(own.servers());
            Clinic clinic = Clinic.at(instance);
            Load.offer(clinic, OUTAGE);
            Load with = Load.offer(clinic, OUTAGE);
            Outbox.awaitDrained(clinic);

            own.freeze();
            Load without = Load.offer(clinic, OUTAGE);
            assertThat(Outbox.waiting(clinic)).isGreaterThan(without.bookings() * 9L / 10);
            await().atMost(PATIENCE)
                    .until(() -> Outbox.metric(instance, "daybreak.outbox.backlog") == Outbox.waiting(clinic));
            assertThat(Outbox.metric(instance, "daybreak.outbox.backlog.age")).isPositive();
            assertThat(clinic.number("SELECT max(attempts) FROM outbox_event WHERE published_at IS NULL"))
                    .as("an outage is no failure of an event")
                    .isZero();
            System.out.printf("with the broker: %s; without: %s%n", with, without);
            assertThat(without.perSecond()).as("bookings a second").isGreaterThan(with.perSecond() / 3);
            assertThat(without.p99())
                    .as("99th percentile")
                    .isLessThan(with.p99().multipliedBy(5).plusMillis(250));

            own.thaw();
            Outbox.awaitDrained(clinic);
            int events = (int) clinic.number("SELECT count(*) FROM outbox_event");
            Topic.assertInOrder(
                    records.await(read -> read.size() >= events && Topic.distinct(read) >= events, PATIENCE), events);
            assertThat(clinic.brokenInvariants()).isEmpty();
        }
    }

    /** The partitions try again at different moments: what one of them learns must not keep all others waiting for ever. */
    @Test
    void goesOnAfterAnOutageThatLastedLongerThanItsPatience() throws Exception {
        try (var own = ChildProcess.broker();
                var records = new Topic(own.servers(), name)) {
            Clinic clinic = Clinic.at(start(own.servers(), "daybreak.outbox.delivery-timeout=1s"));
            Outbox.write(clinic, 100, 100);
            Outbox.awaitDrained(clinic);

            own.freeze();
            for (int i = 0; i < 20; i++) {
                Outbox.write(clinic, 100, 100);
                Thread.sleep(250);
            }
            assertThat(Outbox.waiting(clinic)).isEqualTo(2_000);

            own.thaw();
            Outbox.awaitDrained(clinic);
            Topic.assertInOrder(records.await(read -> Topic.distinct(read) >= 2_100, PATIENCE), 2_100);
        }
    }

    @Test
    void carriesTenThousandEventsByTwoInstancesInOrder() {
        ConfigurableApplicationContext first = start(broker.servers(), "daybreak.test.probe=a");
        ConfigurableApplicationContext second = start(broker.servers(), "daybreak.test.probe=b");
        Clinic clinic = Clinic.at(first);
        await().atMost(PATIENCE)
                .until(() -> Outbox.metric(first, "daybreak.outbox.partitions") == 8
                        && Outbox.metric(second, "daybreak.outbox.partitions") == 8);

        long start = System.nanoTime();
        Outbox.write(clinic, 10_000, 2_500);
        Outbox.awaitDrained(clinic);
        System.out.printf("to Kafka, two instances: %,.0f events/s%n", 10_000 / ((System.nanoTime() - start) / 1e9));

        Topic.assertInOrder(topic.await(read -> read.size() >= 10_000, PATIENCE), 10_000);
        await().atMost(PATIENCE)
                .until(() ->
                        Probe.taken().stream().map(OutboxEvent::id).distinct().count() == 10_000);
        Outbox.assertInOrder(Probe.taken());
    }

    @Test
    void buriesWhatCannotBePublishedReadOrTakenAndGoesOn() {
        ConfigurableApplicationContext instance =
                start(broker.servers(), "daybreak.test.probe=a", "daybreak.outbox.max-attempts=3");
        Clinic clinic = Clinic.at(instance);
        Probe.refuses = event -> event.type().equals("Unwanted");
        clinic.execute("""
                INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload) VALUES
                    ('probe', 'text', 'NotAnObject', '"text"'),
                    ('probe', 'huge', 'TooLarge', jsonb_build_object('x', repeat('x', 2000000))),
                    ('probe', 'unwanted', 'Unwanted', '{"n": 1}')""");
        Outbox.write(clinic, 100, 20);
        var producers = new DefaultKafkaProducerFactory<>(
                Map.<String, Object>of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.servers()),
                new StringSerializer(),
                new StringSerializer());
        topic.await(read -> read.size() >= 100, PATIENCE);
        new KafkaTemplate<>(producers)
                .send(new ProducerRecord<>(name, "stranger", "not ours"))
                .join();
        producers.destroy();

        try (var dead = new Topic(broker.servers(), name + ".dead-letter")) {
            List<ConsumerRecord<String, String>> letters = dead.await(read -> read.size() == 4, PATIENCE);
            assertThat(letters.stream().map(ConsumerRecord::key))
                    .containsExactlyInAnyOrder("text", "huge", "unwanted", "stranger");
            assertThat(letters)
                    .allSatisfy(
                            letter -> assertThat(Topic.header(letter, "error")).isNotEmpty());
        }
        Outbox.awaitDrained(clinic);
        await().atMost(PATIENCE).until(() -> Probe.taken().size() == 100);
        assertThat(Probe.SEEN.stream().filter(Probe.Seen::refused)).hasSize(3);
        assertThat(clinic.number(
                        "SELECT count(*) FROM outbox_event WHERE dead_at IS NOT NULL AND last_error IS NOT NULL"))
                .isEqualTo(3);
        assertThat(Outbox.metric(instance, "daybreak.outbox.died")).isEqualTo(4);
    }

    private ConfigurableApplicationContext start(String servers, String... properties) {
        String[] all = Arrays.copyOf(properties, properties.length + 2);
        all[properties.length] = "spring.kafka.bootstrap-servers=" + servers;
        all[properties.length + 1] = "daybreak.outbox.topic=" + name;
        return outbox.start(all);
    }
}
