package dev.daybreak.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Daybreak;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** The service in a process of its own, started as a user would start it: nothing configured but the folder. */
final class Service implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(45);

    private final Path data;
    private final Path output;
    private final Process process;

    private Service(Path data, Path output, Process process) {
        this.data = data;
        this.output = output;
        this.process = process;
    }

    /** Starts a process without waiting for it to be ready. */
    static Service launch(Path data, String... properties) throws IOException {
        Path output = Files.createTempFile(data.getParent(), "output", ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // quicker to start
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Daybreak.class.getName(),
                "--server.port=0",
                "--daybreak.embedded.data-dir=" + data));
        for (String property : properties) {
            command.add("--" + property);
        }
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(data.getParent().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        return new Service(data, output, builder.start());
    }

    static Service start(Path data, String... properties) throws IOException {
        Service service = launch(data, properties);
        Awaitility.await()
                .atMost(START_LIMIT)
                .until(() -> !service.process.isAlive() || service.output().contains("Started Daybreak"));
        assertThat(service.output()).contains("Started Daybreak");
        return service;
    }

    /** SIGTERM, and waits for the process to end. */
    void terminate() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as("stops in time")
                .isTrue();
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** Waits for a process that ends by itself. */
    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as("ends by itself")
                .isTrue();
        return process.exitValue();
    }

    /** An address of the service itself. */
    URI uri(String path) {
        var port = Pattern.compile("Netty started on port ([0-9]+)").matcher(output());
        assertThat(port.find()).isTrue();
        return URI.create("http://127.0.0.1:" + port.group(1) + path);
    }

    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every process, ours or not, that works on the data folder, found without the pid files. */
    static List<ProcessHandle> serversOn(Path data) {
        return ProcessHandle.allProcesses()
                .filter(handle -> handle.info().command().map(Service::isServer).orElse(false))
                .filter(handle -> handle.info()
                        .arguments()
                        .map(arguments -> String.join(" ", arguments).contains(data.toString()))
                        .orElse(false))
                .toList();
    }

    ProcessHandle postgres() throws IOException {
        return running("postgres", "postmaster.pid", "postgres");
    }

    ProcessHandle redis() throws IOException {
        return running("redis", "redis.pid", "redis-server");
    }

    /** The port that the embedded PostgreSQL wrote into its pid file. */
    int postgresPort() throws IOException {
        return Integer.parseInt(Files.readAllLines(data.resolve("postgres/postmaster.pid"))
                .get(3)
                .strip());
    }

    int redisPort() throws IOException {
        return Files.readAllLines(data.resolve("redis/redis.conf")).stream()
                .filter(line -> line.startsWith("port "))
                .map(line -> Integer.parseInt(line.substring("port ".length())))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** Leaves no server running on the folder, whatever the test came to. */
    static void stopServersOn(Path data) {
        for (ProcessHandle server : serversOn(data)) {
            server.destroyForcibly();
            server.onExit().orTimeout(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        }
    }

    private ProcessHandle running(String folder, String pidFile, String program) throws IOException {
        Optional<ServerProcess> found = ServerProcess.find(data.resolve(folder), pidFile, program);
        return found.orElseThrow().handle();
    }

    private static boolean isServer(String command) {
        String name = Path.of(command).getFileName().toString();
        return name.startsWith("postgres") || name.startsWith("redis-server");
    }
}
