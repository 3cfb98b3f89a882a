package dev.daybreak.embedded;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import redis.embedded.core.ExecutableProvider;

/**
 * Redis beside this process, with its append-only file in {@code redis} of the data folder.
 *
 * <p>Only the binary comes from the library. Its own launcher stops Redis from a shutdown hook, while requests are still
 * being finished, and closes the pipe that Redis logs to.
 */
final class EmbeddedRedis implements DataRedisConnectionDetails, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedRedis.class);

    private static final String HOST = "127.0.0.1";
    private static final String PID_FILE = "redis.pid";
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);
    private static final int PING_TIMEOUT_MILLIS = 500;

    // In the background, so that a Ctrl-C in the terminal reaches the service and not Redis as well.
    private static final String UNIX_CONFIGURATION = """
            daemonize yes
            set-proc-title no
            """;

    private static final String CONFIGURATION = """
            bind %s
            port %d
            dir "%s"
            pidfile "%s"
            logfile "%s"
            save ""
            appendonly yes
            appendfsync everysec
            """;

    private final Path folder;
    private final int port;

    private EmbeddedRedis(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    /** Starts the server on what it kept, after stopping one that a killed process left. */
    static EmbeddedRedis start(DataFolder data, Duration timeout) throws IOException, InterruptedException {
        EmbeddedRedis redis = new EmbeddedRedis(data.of("redis"), FreePort.pick());
        redis.clear();
        try {
            redis.launch();
            redis.awaitReady(timeout);
            return redis;
        } catch (IOException | InterruptedException | RuntimeException e) {
            redis.close();
            throw e;
        }
    }

    @Override
    public Standalone getStandalone() {
        return Standalone.of(HOST, port);
    }

    @Override
    public void close() throws IOException {
        process().ifPresent(process -> process.stop(STOP_PATIENCE));
    }

    private void clear() throws IOException {
        Optional<ServerProcess> orphan = process();
        if (orphan.isPresent()) {
            log.warn(
                    "Stopping Redis (process {}), left running by an instance that was killed",
                    orphan.get().handle().pid());
            orphan.get().stop(STOP_PATIENCE);
        }
        Files.deleteIfExists(pidFile());
        Files.deleteIfExists(logFile());
    }

    private void launch() throws IOException, InterruptedException {
        Path configuration = folder.resolve("redis.conf");
        String settings = CONFIGURATION.formatted(HOST, port, text(folder), text(pidFile()), text(logFile()));
        Files.writeString(configuration, ServerProcess.WINDOWS ? settings : settings + UNIX_CONFIGURATION);
        Path executable =
                ExecutableProvider.newJarResourceProvider(folder.toFile()).get().toPath();
        Process process = new ProcessBuilder(List.of(executable.toString(), configuration.toString()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()))
                .start();
        if (!ServerProcess.WINDOWS && (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0)) {
            throw new IOException("The embedded Redis does not start: " + lastWords());
        }
    }

    private void awaitReady(Duration timeout) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!answers()) {
            if (System.nanoTime() > deadline) {
                throw new IOException("The embedded Redis did not answer within " + timeout + ": " + lastWords());
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(PING_TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(HOST, port), PING_TIMEOUT_MILLIS);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() == '+'; // an error, "-LOADING", while it reads its file
        } catch (IOException e) {
            return false;
        }
    }

    private String lastWords() throws IOException {
        List<String> lines = Files.exists(logFile()) ? Files.readAllLines(logFile()) : List.of();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
    }

    private Optional<ServerProcess> process() throws IOException {
        return ServerProcess.find(folder, PID_FILE, "redis-server");
    }

    private Path pidFile() {
        return folder.resolve(PID_FILE);
    }

    private Path logFile() {
        return folder.resolve("redis.log");
    }

    private static String text(Path path) {
        return path.toString().replace("\\", "/").replace("\"", "\\\"");
    }
}
