package dev.daybreak.scaling;

import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.util.FileSystemUtils;
import redis.embedded.core.ExecutableProvider;

/** Three nodes of Redis with a third of the slots each, so that a script with keys of several slots fails. */
final class RedisCluster implements AutoCloseable {

    private static final int NODES = 3;
    private static final int SLOTS = 16_384;
    private static final int BUS = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path folder;
    private final List<Integer> ports = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();

    private RedisCluster(Path folder) {
        this.folder = folder;
    }

    static RedisCluster start() throws IOException {
        var cluster = new RedisCluster(Files.createTempDirectory("daybreak-cluster-"));
        try {
            cluster.launch();
            cluster.meet();
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** As {@code spring.data.redis.cluster.nodes} has it. */
    String nodes() {
        return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    /** Keys that all nodes have now. */
    long keys() {
        return ports.stream()
                .mapToLong(port -> Long.parseLong(ask(port, "DBSIZE").strip().substring(1)))
                .sum();
    }

    private void launch() throws IOException {
        String program =
                ExecutableProvider.newJarResourceProvider(folder.toFile()).get().toString();
        for (int node = 0; node < NODES; node++) {
            int port = freePort();
            Path data = Files.createDirectory(folder.resolve("node" + node));
            ports.add(port);
            processes.add(new ProcessBuilder(
                            program,
                            "--port",
                            "" + port,
                            "--bind",
                            "127.0.0.1",
                            "--cluster-enabled",
                            "yes",
                            "--save",
                            "",
                            "--dir",
                            data.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("node" + node + ".log").toFile())
                    .start());
        }
    }

    private void meet() {
        for (int node = 0; node < NODES; node++) {
            int port = ports.get(node);
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> ask(port, "PING").startsWith("+PONG"));
            var add = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
            IntStream.range(SLOTS * node / NODES, SLOTS * (node + 1) / NODES).forEach(slot -> add.add("" + slot));
            ask(port, add.toArray(String[]::new));
        }
        for (int node = 1; node < NODES; node++) {
            ask(ports.getFirst(), "CLUSTER", "MEET", "127.0.0.1", "" + ports.get(node), "" + (ports.get(node) + BUS));
        }
        for (int port : ports) {
            await().atMost(PATIENCE).until(() -> {
                String state = ask(port, "CLUSTER", "INFO");
                return state.contains("cluster_state:ok") && state.contains("cluster_known_nodes:" + NODES);
            });
        }
    }

    private static String ask(int port, String... words) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(5_000);
            var request = new ByteArrayOutputStream();
            request.writeBytes(text("*" + words.length));
            for (String word : words) {
                request.writeBytes(text("$" + word.length()));
                request.writeBytes(text(word));
            }
            socket.getOutputStream().write(request.toByteArray());
            byte[] answer = new byte[8192];
            int length = socket.getInputStream().read(answer);
            return new String(answer, 0, Math.max(0, length), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] text(String line) {
        return (line + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** One to which 10,000 can be added, which is where nodes talk to each other. */
    private static int freePort() throws IOException {
        while (true) {
            try (var socket = listener(0)) {
                int port = socket.getLocalPort();
                if (port + BUS <= 65_535) {
                    listener(port + BUS).close();
                    return port;
                }
            } catch (BindException taken) {
                // another one, then
            }
        }
    }

    private static ServerSocket listener(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }

    @Override
    public void close() throws IOException {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(
                process -> process.onExit().orTimeout(10, TimeUnit.SECONDS).join());
        FileSystemUtils.deleteRecursively(folder);
    }
}
