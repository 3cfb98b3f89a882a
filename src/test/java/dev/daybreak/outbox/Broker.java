package dev.daybreak.outbox;

import dev.daybreak.TestServers;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;
import org.testcontainers.kafka.KafkaContainer;

/**
 * A Kafka of one node on a free port: a container where {@link TestServers} are containers, else embedded. Spring's embedded
 * one does not go with this version of Kafka.
 */
final class Broker implements AutoCloseable {

    private static final String IMAGE = "apache/kafka:4.3.1";

    private final String servers;
    private final AutoCloseable node;

    private Broker(String servers, AutoCloseable node) {
        this.servers = servers;
        this.node = node;
    }

    static Broker start() throws Exception {
        return TestServers.areContainers() ? container() : embedded();
    }

    private static Broker container() {
        KafkaContainer container = new KafkaContainer(IMAGE)
                .withEnv("KAFKA_NUM_PARTITIONS", "6")
                .withEnv("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0");
        container.start();
        return new Broker(container.getBootstrapServers(), container);
    }

    private static Broker embedded() throws Exception {
        var nodes = new TestKitNodes.Builder()
                .setCombined(true)
                .setNumBrokerNodes(1)
                .setNumControllerNodes(1)
                .build();
        var node = new KafkaClusterTestKit.Builder(nodes)
                .setConfigProp("num.partitions", "6")
                .setConfigProp("offsets.topic.num.partitions", "1")
                .setConfigProp("offsets.topic.replication.factor", "1")
                .setConfigProp("transaction.state.log.replication.factor", "1")
                .setConfigProp("transaction.state.log.min.isr", "1")
                .setConfigProp("group.initial.rebalance.delay.ms", "0")
                .build();
        node.format();
        node.startup();
        node.waitForReadyBrokers();
        return new Broker(node.bootstrapServers(), node);
    }

    String servers() {
        return servers;
    }

    int port() {
        return Integer.parseInt(servers().substring(servers().lastIndexOf(':') + 1));
    }

    @Override
    public void close() throws Exception {
        node.close();
    }

    /** In a process of its own, until that is killed. */
    static final class Alone {

        private Alone() {}

        public static void main(String[] args) throws Exception {
            System.out.println("broker at " + embedded().servers());
            Thread.currentThread().join();
        }
    }
}
