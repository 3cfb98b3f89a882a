package dev.daybreak.bench.outside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.springframework.util.FileSystemUtils;

/** The packaged service in a process of its own, and how much memory it takes. */
final class ServiceProcess implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(45);
    private static final Pattern PORT = Pattern.compile("started on port (\\d+)");
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

    private final Path folder;
    private final Process process;

    private ServiceProcess(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
    }

    /** @param live bytes of heap in use after a full collection; {@code resident}: bytes of memory, 0 where /proc is missing */
    record Memory(long live, long resident) {}

    /** @param properties such as {@code --spring.r2dbc.url=…}; with none, the servers are embedded ones in a temporary folder */
    static ServiceProcess start(Path jar, String heap, List<String> properties) throws IOException {
        return start(jar, heap, List.of(), properties);
    }

    /** @param options of the JVM */
    static ServiceProcess start(Path jar, String heap, List<String> options, List<String> properties)
            throws IOException {
        if (!Files.exists(jar)) {
            throw new IllegalStateException("no " + jar + ": package the service, or name the file by -Dbench.jar");
        }
        Path folder = Files.createTempDirectory("daybreak-bench");
        List<String> command = new ArrayList<>(List.of(
                JAVA_HOME.resolve("bin/java").toString(),
                "-Xmx" + heap,
                "--enable-native-access=ALL-UNNAMED",
                "-jar",
                jar.toAbsolutePath().toString(),
                "--server.port=0",
                "--daybreak.embedded.data-dir=" + folder.resolve("data")));
        command.addAll(1, options);
        command.addAll(properties);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.log").toFile())
                .start();
        var service = new ServiceProcess(folder, process);
        Awaitility.await()
                .atMost(START_LIMIT)
                .until(() -> !process.isAlive() || service.output().contains("Started Daybreak"));
        if (!process.isAlive()) {
            throw new IllegalStateException("the service does not start: " + service.output());
        }
        return service;
    }

    URI url() {
        MatchResult port = PORT.matcher(output()).results().findFirst().orElseThrow();
        return URI.create("http://127.0.0.1:" + port.group(1));
    }

    /** What leads another process to the embedded servers of this one. */
    List<String> connectionProperties() throws IOException {
        Path data = folder.resolve("data");
        String postgres = Files.readAllLines(data.resolve("postgres/postmaster.pid"))
                .get(3)
                .strip();
        String redis = Files.readAllLines(data.resolve("redis/redis.conf")).stream()
                .filter(line -> line.startsWith("port "))
                .map(line -> line.substring("port ".length()))
                .findFirst()
                .orElseThrow();
        return List.of(
                "--spring.r2dbc.url=r2dbc:postgresql://127.0.0.1:" + postgres + "/daybreak",
                "--spring.r2dbc.username=postgres",
                "--spring.data.redis.host=127.0.0.1",
                "--spring.data.redis.port=" + redis);
    }

    Memory memory() throws IOException {
        jcmd("GC.run");
        // It collects before it counts.
        String histogram = jcmd("GC.class_histogram");
        Path status = Path.of("/proc", String.valueOf(process.pid()), "status");
        return new Memory(
                number(TOTAL, histogram), Files.exists(status) ? number(RESIDENT, Files.readString(status)) * 1024 : 0);
    }

    private static long number(Pattern pattern, String text) {
        return Long.parseLong(
                pattern.matcher(text).results().findFirst().orElseThrow().group(1));
    }

    private String jcmd(String command) throws IOException {
        Process jcmd = new ProcessBuilder(
                        JAVA_HOME.resolve("bin/jcmd").toString(), String.valueOf(process.pid()), command)
                .redirectErrorStream(true)
                .start();
        return new String(jcmd.getInputStream().readAllBytes());
    }

    private String output() {
        try {
            return Files.readString(folder.resolve("output.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        FileSystemUtils.deleteRecursively(folder);
    }
}
