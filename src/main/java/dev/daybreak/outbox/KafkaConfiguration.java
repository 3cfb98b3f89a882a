package dev.daybreak.outbox;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.ProducerFactory;

/** Without an address nothing of Kafka is made that would look for a broker. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("spring.kafka.bootstrap-servers")
class KafkaConfiguration {

    @Bean
    KafkaTopic outboxTopic(ProducerFactory<?, ?> producers, KafkaAdmin admin, OutboxSettings settings) {
        return new KafkaTopic(producers, admin, settings);
    }

    @Bean
    TopicListener topicListener(
            ConsumerFactory<?, ?> consumerFactory,
            Consumers consumers,
            KafkaTopic topic,
            Events events,
            OutboxSettings settings,
            OutboxMetrics metrics) {
        return new TopicListener(consumerFactory, consumers, topic, events, settings, metrics);
    }
}
