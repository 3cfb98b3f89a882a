package dev.daybreak.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.springframework.util.FileSystemUtils;

/** A Kafka broker in a process of its own that can be killed and comes back with what it had written, at the same address. */
final class MortalKafka implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String CONFIGURATION = """
            process.roles=broker,controller
            node.id=1
            controller.quorum.voters=1@127.0.0.1:%2$d
            listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
            advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
            controller.listener.names=CONTROLLER
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
            log.dirs=%3$s
            num.partitions=4
            offsets.topic.replication.factor=1
            offsets.topic.num.partitions=1
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            share.coordinator.state.topic.replication.factor=1
            share.coordinator.state.topic.min.isr=1
            group.initial.rebalance.delay.ms=0
            log.cleaner.threads=1
            log.cleaner.dedupe.buffer.size=4194304
            """;

    private final Path folder;
    private final int port;
    private final Path configuration;
    private Process process;

    private MortalKafka(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        this.port = freePort();
        this.configuration = Files.writeString(
                folder.resolve("server.properties"), CONFIGURATION.formatted(port, freePort(), folder.resolve("log")));
        Process format = launch(
                "kafka.tools.StorageTool", "format", "-t", "ZGF5YnJlYWstZmF1bHRzLQ", "-c", configuration.toString());
        if (!format.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || format.exitValue() != 0) {
            throw new IllegalStateException(output());
        }
        startAgain();
    }

    static MortalKafka start() throws IOException, InterruptedException {
        return new MortalKafka(Files.createTempDirectory("daybreak-kafka-"));
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("Kafka does not end");
        }
    }

    void startAgain() throws IOException {
        process = launch("kafka.Kafka", configuration.toString());
        Awaitility.await().atMost(PATIENCE).until(() -> !process.isAlive() || answers());
        if (!process.isAlive()) {
            throw new IllegalStateException(output());
        }
    }

    private boolean answers() {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private Process launch(String... main) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(main));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.log").toFile())
                .start();
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("output.log"));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        FileSystemUtils.deleteRecursively(folder);
    }
}
