package dev.daybreak.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.springframework.r2dbc.core.DatabaseClient;

/** What has arrived in Kafka of the events that were committed. */
final class Published {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String TOPIC = "daybreak.appointments";

    private Published() {}

    /** Every committed event arrives, those of an appointment in their order; some of them again, after a broker or relay died. */
    static void assertEverything(MortalKafka kafka, Clinic clinic, DatabaseClient rows) {
        // First, as holds go on to expire while the topic is read.
        List<String> committed = rows.sql("SELECT id::text FROM outbox_event")
                .mapValue(String.class)
                .all()
                .collectList()
                .block(PATIENCE);
        await("all events are published")
                .atMost(PATIENCE)
                .until(() -> clinic.number("SELECT count(*) FROM outbox_event WHERE published_at IS NULL") == 0);
        Set<String> arrived = new HashSet<>();
        Map<String, Long> latest = new HashMap<>();
        try (var consumer = new KafkaConsumer<>(
                Map.<String, Object>of("bootstrap.servers", kafka.address()),
                new StringDeserializer(),
                new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(TOPIC).stream()
                    .map(partition -> new TopicPartition(TOPIC, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
                    long sequence = Long.parseLong(header(record, "sequence"));
                    if (arrived.add(header(record, "event-id"))) {
                        Long before = latest.put(record.key(), sequence);
                        assertThat(before == null || before < sequence)
                                .as("event %d of %s comes after %d", sequence, record.key(), before)
                                .isTrue();
                    }
                }
            }
        }
        assertThat(arrived).containsAll(committed);
    }

    private static String header(ConsumerRecord<String, String> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
