package dev.daybreak.outbox;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** An event as a record in Kafka: the aggregate's id as key, the payload as value, the rest in headers. */
final class EventRecord {

    static final String ID = "event-id";
    static final String TYPE = "type";
    static final String AGGREGATE_TYPE = "aggregate-type";
    static final String SEQUENCE = "sequence";
    static final String CREATED_AT = "created-at";
    static final String ERROR = "error";

    private EventRecord() {}

    /** @param error why it is a dead letter; null if it is none */
    static ProducerRecord<String, String> of(String topic, OutboxEvent event, @Nullable String error) {
        if (error == null && !event.payload().startsWith("{")) {
            throw new Malformed("the payload is not a JSON object");
        }
        return message(topic, event, event.payload(), error);
    }

    static ProducerRecord<String, String> withoutPayload(String topic, OutboxEvent event, String error) {
        return message(topic, event, null, error);
    }

    private static ProducerRecord<String, String> message(
            String topic, OutboxEvent event, @Nullable String value, @Nullable String error) {
        var message = new ProducerRecord<>(topic, event.aggregateId(), value);
        put(message, ID, event.id().toString());
        put(message, TYPE, event.type());
        put(message, AGGREGATE_TYPE, event.aggregateType());
        put(message, SEQUENCE, Long.toString(event.sequence()));
        put(message, CREATED_AT, event.createdAt().toString());
        if (error != null) {
            put(message, ERROR, error);
        }
        return message;
    }

    /** Throws {@link Malformed} for a record that nobody here has written. */
    static OutboxEvent read(ConsumerRecord<String, String> message) {
        String payload = message.value();
        if (message.key() == null || payload == null) {
            throw new Malformed("a record without key or value");
        }
        try {
            return new OutboxEvent(
                    UUID.fromString(header(message, ID)),
                    Long.parseLong(header(message, SEQUENCE)),
                    header(message, AGGREGATE_TYPE),
                    message.key(),
                    header(message, TYPE),
                    payload,
                    Instant.parse(header(message, CREATED_AT)));
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new Malformed("a record with a header that cannot be read: " + e.getMessage());
        }
    }

    /** The same record for the topic of dead letters. */
    static ProducerRecord<String, String> dead(String topic, ConsumerRecord<String, String> message, String error) {
        var dead = new ProducerRecord<>(topic, message.key(), message.value());
        message.headers().forEach(header -> dead.headers().add(header));
        put(dead, ERROR, error);
        return dead;
    }

    private static String header(ConsumerRecord<String, String> message, String name) {
        Header header = message.headers().lastHeader(name);
        if (header == null) {
            throw new Malformed("a record without the header " + name);
        }
        return new String(header.value(), StandardCharsets.UTF_8);
    }

    private static void put(ProducerRecord<String, String> message, String name, String value) {
        message.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
