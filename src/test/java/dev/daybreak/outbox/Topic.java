package dev.daybreak.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** All records of a topic, read again each time from the beginning of what this reader has not seen. */
final class Topic implements AutoCloseable {

    private final KafkaConsumer<String, String> consumer;
    private final List<ConsumerRecord<String, String>> read = new ArrayList<>();

    Topic(String servers, String name) {
        consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        servers,
                        ConsumerConfig.GROUP_ID_CONFIG,
                        UUID.randomUUID().toString(),
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.METADATA_MAX_AGE_CONFIG,
                        500),
                new StringDeserializer(),
                new StringDeserializer());
        consumer.subscribe(List.of(name));
    }

    List<ConsumerRecord<String, String>> await(Predicate<List<ConsumerRecord<String, String>>> enough, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        while (!enough.test(read)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("only " + read.size() + " records arrived");
            }
            consumer.poll(Duration.ofMillis(200)).forEach(read::add);
        }
        return read;
    }

    static String header(ConsumerRecord<String, String> message, String name) {
        return new String(message.headers().lastHeader(name).value());
    }

    static long distinct(List<ConsumerRecord<String, String>> records) {
        return records.stream()
                .map(message -> header(message, EventRecord.ID))
                .distinct()
                .count();
    }

    /** Leaves out what has arrived before; the rest of each appointment is in the order of writing. */
    static void assertInOrder(List<ConsumerRecord<String, String>> records, int distinct) {
        Set<String> known = new HashSet<>();
        Map<String, Long> latest = new HashMap<>();
        for (ConsumerRecord<String, String> message : records) {
            long sequence = Long.parseLong(header(message, EventRecord.SEQUENCE));
            if (known.add(header(message, EventRecord.ID))) {
                Long before = latest.put(message.key(), sequence);
                assertThat(before == null || before < sequence)
                        .as("%s after %s", message, before)
                        .isTrue();
            }
        }
        assertThat(known).hasSize(distinct);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
