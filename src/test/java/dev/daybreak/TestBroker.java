package dev.daybreak;

import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import org.testcontainers.kafka.KafkaContainer;

/** A Kafka of a test's own: a container where PostgreSQL is one too ({@link TestServers}), else embedded in the process. */
public final class TestBroker implements AutoCloseable {

    private static final String IMAGE = "apache/kafka:4.3.1";

    private final String servers;
    private final Runnable stop;

    private TestBroker(String servers, Runnable stop) {
        this.servers = servers;
        this.stop = stop;
    }

    /** @param partitions of a topic that is made by its first use */
    public static TestBroker start(int partitions) {
        return TestServers.DockerAnswers.ANSWERS ? container(partitions) : embedded(partitions);
    }

    private static TestBroker container(int partitions) {
        KafkaContainer container =
                new KafkaContainer(IMAGE).withEnv("KAFKA_NUM_PARTITIONS", Integer.toString(partitions));
        container.start();
        return new TestBroker(container.getBootstrapServers(), container::stop);
    }

    private static TestBroker embedded(int partitions) {
        var broker = new EmbeddedKafkaKraftBroker(1, partitions);
        broker.brokerProperty("num.partitions", Integer.toString(partitions));
        broker.afterPropertiesSet();
        return new TestBroker(broker.getBrokersAsString(), broker::destroy);
    }

    /** As {@code host:port}. */
    public String servers() {
        return servers;
    }

    public String host() {
        return servers.substring(0, servers.lastIndexOf(':'));
    }

    public int port() {
        return Integer.parseInt(servers.substring(servers.lastIndexOf(':') + 1));
    }

    @Override
    public void close() {
        stop.run();
    }
}
