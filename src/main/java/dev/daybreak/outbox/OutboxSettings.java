package dev.daybreak.outbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * How events leave the outbox.
 *
 * @param relay whether this instance carries any
 * @param poll how often an idle relay looks for events it was not told of
 * @param patience how long events may wait for a rush of bookings on this instance to pass; 0 for not at all
 * @param batch events read at once, of each of the sixteen partitions
 * @param maxAttempts failures after which an event is a dead letter; an outage of broker or database is none
 * @param backoff from the first failure of an event to its next attempt; twice as long after each further one
 * @param deliveryTimeout how long a consumer, or the broker, may take for one event
 * @param retention how long published events are kept
 * @param pruneInterval how often older ones are removed; 0 for never
 * @param topic where Kafka gets them; dead letters go to the same name with {@code .dead-letter}
 */
@ConfigurationProperties("daybreak.outbox")
record OutboxSettings(
        @DefaultValue("true") boolean relay,
        @DefaultValue("1s") Duration poll,
        @DefaultValue("1m") Duration patience,
        @DefaultValue("200") int batch,
        @DefaultValue("5") int maxAttempts,
        @DefaultValue("1s") Duration backoff,
        @DefaultValue("30s") Duration deliveryTimeout,
        @DefaultValue("7d") Duration retention,
        @DefaultValue("1h") Duration pruneInterval,
        @DefaultValue("daybreak.appointments") String topic) {

    OutboxSettings {
        Assert.isTrue(poll.toMillis() >= 1, "daybreak.outbox.poll must be 1ms or more");
        Assert.isTrue(!patience.isNegative(), "daybreak.outbox.patience must not be negative");
        Assert.isTrue(batch >= 1 && batch <= 10_000, "daybreak.outbox.batch must be between 1 and 10000");
        Assert.isTrue(maxAttempts >= 1, "daybreak.outbox.max-attempts must be positive");
        Assert.isTrue(!backoff.isNegative(), "daybreak.outbox.backoff must not be negative");
        Assert.isTrue(deliveryTimeout.toMillis() >= 1000, "daybreak.outbox.delivery-timeout must be 1s or more");
        Assert.isTrue(!retention.isNegative(), "daybreak.outbox.retention must not be negative");
        Assert.isTrue(
                pruneInterval.isZero() || pruneInterval.toMillis() >= 1,
                "daybreak.outbox.prune-interval must be 0, or 1ms or more");
        Assert.isTrue(
                topic.matches("[A-Za-z0-9._-]{1,237}"), // 249 with what is added for dead letters
                "daybreak.outbox.topic must be a name that Kafka takes, not " + topic);
    }

    String deadLetterTopic() {
        return topic + ".dead-letter";
    }
}
