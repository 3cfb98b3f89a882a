package dev.daybreak.outbox;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The topic in Kafka. Sending may wait for the broker, so it has a thread of its own; and once it has waited in vain, the next
 * second's records fail without waiting.
 *
 * <p>A record is sent when the one before it of the same aggregate has been acknowledged by all replicas in sync, so a failure in
 * between never lets the later one pass.
 */
final class KafkaTopic implements Destination, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaTopic.class);

    private static final Duration MAX_BLOCK = Duration.ofSeconds(2);
    private static final int LINGER_MILLIS = 2; // the whole batch is sent at once, but by aggregate
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final DefaultKafkaProducerFactory<String, String> producers;
    private final KafkaTemplate<String, String> kafka;
    private final KafkaAdmin admin;
    private final OutboxSettings settings;
    private final ExecutorService sending = Executors.newSingleThreadExecutor(
            task -> Thread.ofPlatform().name("daybreak-outbox-kafka").daemon().unstarted(task));
    private final Scheduler thread = Schedulers.fromExecutorService(sending);

    private volatile long awaySince = System.nanoTime() - PAUSE;
    private boolean known; // the topics; only the thread

    KafkaTopic(ProducerFactory<?, ?> configured, KafkaAdmin admin, OutboxSettings settings) {
        Map<String, Object> config = new HashMap<>(configured.getConfigurationProperties());
        config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        config.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (int) MAX_BLOCK.toMillis());
        config.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MILLIS);
        // The leader of a new partition may refuse a producer's first batch and take the second, as it knows nothing of
        // this producer yet. The first, sent again, is then out of order until it is given up.
        config.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        int limit = (int) settings.deliveryTimeout().toMillis();
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, limit);
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(500, limit / 3));
        this.producers = new DefaultKafkaProducerFactory<>(config);
        this.kafka = new KafkaTemplate<>(producers);
        this.admin = admin;
        this.settings = settings;
    }

    @Override
    public Mono<Void> publish(OutboxEvent event) {
        return Mono.defer(() -> Mono.fromFuture(send(EventRecord.of(settings.topic(), event, null)), true))
                .subscribeOn(thread)
                .doOnError(failure -> {
                    // Who did not try has learned nothing. The partitions, each at its own time, would keep each
                    // other waiting for ever.
                    if (isOutage(failure) && !(failure instanceof BrokerAway)) {
                        awaySince = System.nanoTime();
                    }
                })
                .then();
    }

    private CompletableFuture<?> send(ProducerRecord<String, String> message) {
        if (System.nanoTime() - awaySince < PAUSE) {
            return CompletableFuture.failedFuture(new BrokerAway());
        }
        if (!known) {
            admin.createOrModifyTopics(
                    TopicBuilder.name(settings.topic()).build(),
                    TopicBuilder.name(settings.deadLetterTopic()).build());
            known = true;
        }
        return kafka.send(message);
    }

    /** Only what is wrong with a record itself is not: who may not write, or has no topic, is no reason to give events up. */
    @Override
    public boolean isOutage(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RecordTooLargeException
                    || cause instanceof SerializationException
                    || cause instanceof Malformed) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Mono<Void> announceDead(OutboxEvent event, String error) {
        return bury(EventRecord.of(settings.deadLetterTopic(), event, error))
                // Its size may be why it died.
                .onErrorResume(failure -> bury(EventRecord.withoutPayload(settings.deadLetterTopic(), event, error)))
                .onErrorResume(failure -> {
                    LOG.warn("The dead letter {} is not in the topic: {}", event.id(), failure.toString());
                    return Mono.empty();
                });
    }

    /** Puts a record into the topic of dead letters. */
    Mono<Void> bury(ProducerRecord<String, String> message) {
        return Mono.defer(() -> Mono.fromFuture(send(message), true))
                .subscribeOn(thread)
                .then();
    }

    @Override
    public void destroy() {
        sending.shutdownNow();
        thread.dispose();
        producers.setPhysicalCloseTimeout(1);
        producers.destroy();
    }

    private static final class BrokerAway extends RuntimeException {

        BrokerAway() {
            super("no answer from the broker a moment ago", null, false, false);
        }
    }
}
