package dev.daybreak.outbox;

import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

/** A Kafka of one node on a free port. Spring's embedded one does not go with this version of Kafka. */
final class Broker implements AutoCloseable {

    private final KafkaClusterTestKit node;

    private Broker(KafkaClusterTestKit node) {
        this.node = node;
    }

    static Broker start() throws Exception {
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
        return new Broker(node);
    }

    String servers() {
        return node.bootstrapServers();
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
            System.out.println("broker at " + start().servers());
            Thread.currentThread().join();
        }
    }
}
