package dev.daybreak.outbox;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;
import reactor.util.retry.RetryBackoffSpec;

/**
 * Reads the topic, as a member of the group that all instances are in, and hands the events to the consumers of this process. A position
 * is committed when everything before it has been taken or is a dead letter, so what was being handled when the process died comes
 * again.
 *
 * <p>Its threads are Kafka's, and made for waiting.
 */
final class TopicListener implements SmartLifecycle, BatchMessageListener<String, String> {

    private static final Logger LOG = LoggerFactory.getLogger(TopicListener.class);

    static final String GROUP = "daybreak-notifier";

    private static final int THREADS = 2;
    private static final int AT_ONCE = 200;
    private static final int TOPIC_LOOKUP_MILLIS = 5000; // the topic is made by the first relay that finds the broker
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(10);

    private final ConsumerFactory<?, ?> configured;
    private final Consumers consumers;
    private final KafkaTopic topic;
    private final Events events;
    private final OutboxSettings settings;
    private final OutboxMetrics metrics;
    private @Nullable ConcurrentMessageListenerContainer<?, ?> container;

    TopicListener(
            ConsumerFactory<?, ?> configured,
            Consumers consumers,
            KafkaTopic topic,
            Events events,
            OutboxSettings settings,
            OutboxMetrics metrics) {
        this.configured = configured;
        this.consumers = consumers;
        this.topic = topic;
        this.events = events;
        this.settings = settings;
        this.metrics = metrics;
    }

    @Override
    public void start() {
        if (container != null || consumers.isNobody()) {
            return;
        }
        var properties = new ContainerProperties(settings.topic());
        properties.setGroupId(GROUP);
        properties.setMessageListener(this);
        properties.setAckMode(ContainerProperties.AckMode.BATCH);
        properties.setKafkaConsumerProperties(overrides());
        var made = new ConcurrentMessageListenerContainer<>(configured, properties);
        made.setBeanName("daybreak-outbox-listener");
        made.setConcurrency(THREADS);
        made.start();
        container = made;
    }

    private static Properties overrides() {
        var overrides = new Properties();
        overrides.setProperty(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class.getName());
        overrides.setProperty(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class.getName());
        overrides.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        overrides.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        overrides.setProperty(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        overrides.setProperty(ConsumerConfig.METADATA_MAX_AGE_CONFIG, Integer.toString(TOPIC_LOOKUP_MILLIS));
        overrides.setProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Integer.toString(AT_ONCE));
        return overrides;
    }

    @Override
    public void onMessage(List<ConsumerRecord<String, String>> messages) {
        var handled = InOrder.each(messages, message -> String.valueOf(message.key()), this::handle, done -> true)
                .toFuture();
        try {
            handled.get();
        } catch (InterruptedException e) {
            handled.cancel(true);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("stopped while events were being handled; they come again", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Ends when the event is taken or buried, and never with an error: Kafka's order has no place for an event that is skipped for now. */
    private Mono<Boolean> handle(ConsumerRecord<String, String> message) {
        return Mono.fromSupplier(() -> EventRecord.read(message))
                .flatMap(event -> insist(
                                consumers
                                        .publish(event)
                                        .doOnError(failure -> metrics.failed())
                                        .retryWhen(backoff(settings.maxAttempts() - 1)
                                                .filter(failure -> !consumers.isOutage(failure))
                                                .onRetryExhaustedThrow((spec, signal) -> signal.failure())),
                                consumers::isOutage)
                        .onErrorResume(failure -> buried(message, event, failure)))
                .onErrorResume(Malformed.class, failure -> buried(message, null, failure))
                .thenReturn(true);
    }

    private Mono<Void> buried(ConsumerRecord<String, String> message, @Nullable OutboxEvent event, Throwable failure) {
        metrics.died();
        LOG.error(
                "A record is a dead letter, {} {} of partition {}: {}",
                event == null ? "unreadable, at offset" : "event " + event.id() + " at offset",
                message.offset(),
                message.partition(),
                failure.toString());
        String error = Attempt.Failed.textOf(failure);
        Mono<Void> noted = event == null ? Mono.empty() : events.bury(event, settings.maxAttempts(), error);
        return insist(noted, any -> true)
                .then(insist(topic.bury(EventRecord.dead(settings.deadLetterTopic(), message, error)), any -> true));
    }

    private <T> Mono<T> insist(Mono<T> work, Predicate<Throwable> passing) {
        return work.retryWhen(backoff(Long.MAX_VALUE).filter(passing));
    }

    private RetryBackoffSpec backoff(long attempts) {
        return Retry.backoff(attempts, settings.backoff().plusMillis(1)).maxBackoff(LONGEST_BACKOFF);
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public void stop(Runnable callback) {
        var stopping = container;
        container = null;
        if (stopping == null) {
            callback.run();
        } else {
            stopping.stop(callback);
        }
    }

    @Override
    public boolean isRunning() {
        return container != null;
    }
}
