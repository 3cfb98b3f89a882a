package dev.daybreak.outbox;

import static dev.daybreak.outbox.Outbox.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
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
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import org.springframework.kafka.test.utils.KafkaTestUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Events by way of Kafka, on a real broker. */
@DaybreakTest
class KafkaTest {

    private static EmbeddedKafkaKraftBroker broker;

    @Autowired
    ApplicationContext servers;

    Outbox outbox;
    String name;
    Topic topic;

    @BeforeAll
    static void startTheBroker() {
        broker = new EmbeddedKafkaKraftBroker(1, 4);
        broker.brokerProperty("num.partitions", "6");
        broker.afterPropertiesSet();
    }

    @AfterAll
    static void stopTheBroker() {
        broker.destroy();
    }

    @BeforeEach
    void aTopicOfItsOwn() {
        Probe.reset();
        outbox = new Outbox(servers);
        name = "topic-" + Clinic.newKey();
        topic = new Topic(broker, name);
    }

    @AfterEach
    void stop() {
        topic.close();
        outbox.close();
    }

    @Test
    void publishesEachEventUnderItsAppointmentWithItsIdAndHandsItToTheConsumers() {
        Clinic clinic = Clinic.at(start(broker.getBrokersAsString(), "daybreak.test.probe=a"));
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

    @Test
    void booksAsWellWithoutABrokerAndPublishesInOrderWhenItIsBack() throws Exception {
        String host = broker.getBrokersAsString().split(",")[0];
        try (var proxy = FaultyProxy.to("127.0.0.1", Integer.parseInt(host.substring(host.lastIndexOf(':') + 1)))) {
            Clinic with = Clinic.at(start(broker.getBrokersAsString()));
            load(with, 1_000);
            long[] before = load(with, 2_000);
            Outbox.awaitDrained(with);
            outbox.first().close();

            proxy.cut();
            ConfigurableApplicationContext alone = start("127.0.0.1:" + proxy.port());
            Clinic without = Clinic.at(alone);
            load(without, 1_000);
            long[] away = load(without, 2_000);
            assertThat(Outbox.waiting(without)).isEqualTo(3_000);
            await().atMost(PATIENCE).until(() -> Outbox.metric(alone, "daybreak.outbox.backlog") == 3_000);
            assertThat(Outbox.metric(alone, "daybreak.outbox.backlog.age")).isPositive();
            assertThat(without.number("SELECT max(attempts) FROM outbox_event WHERE published_at IS NULL"))
                    .as("an outage is no failure of an event")
                    .isZero();
            System.out.printf(
                    "2,000 bookings with the broker: %,d a second, p99 %d ms; without: %,d a second, p99 %d ms%n",
                    before[0], before[1], away[0], away[1]);
            assertThat(away[0]).as("bookings a second").isGreaterThan(before[0] / 2);

            proxy.resume();
            Outbox.awaitDrained(without);
            assertInOrder(topic.await(read -> read.size() >= 6_000, PATIENCE), 6_000);
            assertThat(without.brokenInvariants()).isEmpty();
        }
    }

    @Test
    void carriesTenThousandEventsByTwoInstancesInOrder() {
        ConfigurableApplicationContext first = start(broker.getBrokersAsString(), "daybreak.test.probe=a");
        ConfigurableApplicationContext second = start(broker.getBrokersAsString(), "daybreak.test.probe=b");
        Clinic clinic = Clinic.at(first);
        await().atMost(PATIENCE)
                .until(() -> Outbox.metric(first, "daybreak.outbox.partitions") == 8
                        && Outbox.metric(second, "daybreak.outbox.partitions") == 8);

        long start = System.nanoTime();
        Outbox.write(clinic, 10_000, 2_500);
        Outbox.awaitDrained(clinic);
        System.out.printf("to Kafka, two instances: %,.0f events/s%n", 10_000 / ((System.nanoTime() - start) / 1e9));

        assertInOrder(topic.await(read -> read.size() >= 10_000, PATIENCE), 10_000);
        await().atMost(PATIENCE)
                .until(() ->
                        Probe.taken().stream().map(OutboxEvent::id).distinct().count() == 10_000);
        Outbox.assertInOrder(Probe.taken());
    }

    @Test
    void buriesWhatCannotBePublishedReadOrTakenAndGoesOn() {
        ConfigurableApplicationContext instance =
                start(broker.getBrokersAsString(), "daybreak.test.probe=a", "daybreak.outbox.max-attempts=3");
        Clinic clinic = Clinic.at(instance);
        Probe.refuses = event -> event.type().equals("Unwanted");
        clinic.execute("""
                INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload) VALUES
                    ('probe', 'text', 'NotAnObject', '"text"'),
                    ('probe', 'huge', 'TooLarge', jsonb_build_object('x', repeat('x', 2000000))),
                    ('probe', 'unwanted', 'Unwanted', '{"n": 1}')""");
        Outbox.write(clinic, 100, 20);
        var producers = new DefaultKafkaProducerFactory<String, String>(
                KafkaTestUtils.producerProps(broker), new StringSerializer(), new StringSerializer());
        topic.await(read -> read.size() >= 100, PATIENCE);
        new KafkaTemplate<>(producers)
                .send(new ProducerRecord<>(name, "stranger", "not ours"))
                .join();
        producers.destroy();

        try (var dead = new Topic(broker, name + ".dead-letter")) {
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

    /** Bookings a second, and the 99th percentile of their answers in milliseconds, with 32 patients at a time. */
    private static long[] load(Clinic clinic, int bookings) {
        List<Long> slots = clinic.slots(50, bookings);
        var times = new ConcurrentLinkedQueue<Long>();
        long start = System.nanoTime();
        List<Answer> answers = Flux.range(0, bookings)
                .flatMap(
                        i -> Mono.defer(() -> {
                            long asked = System.nanoTime();
                            return clinic.booking(slots.get(i % slots.size()), Clinic.newPatient(), Clinic.newKey())
                                    .doOnNext(answer -> times.add(System.nanoTime() - asked));
                        }),
                        32)
                .collectList()
                .block(PATIENCE);
        double seconds = (System.nanoTime() - start) / 1e9;
        assertThat(answers).hasSize(bookings).allMatch(answer -> answer.is(201));
        long p99 =
                times.stream().sorted().skip(bookings * 99L / 100).findFirst().orElseThrow();
        return new long[] {(long) (bookings / seconds), p99 / 1_000_000};
    }

    private static void assertInOrder(List<ConsumerRecord<String, String>> records, int distinct) {
        Map<String, Long> known = new HashMap<>();
        Map<String, Long> latest = new HashMap<>();
        for (ConsumerRecord<String, String> message : records) {
            long sequence = Long.parseLong(Topic.header(message, "sequence"));
            if (known.putIfAbsent(Topic.header(message, "event-id"), sequence) == null) {
                Long before = latest.put(message.key(), sequence);
                assertThat(before == null || before < sequence)
                        .as("%s after %s", message, before)
                        .isTrue();
            }
        }
        assertThat(known).hasSize(distinct);
    }
}
