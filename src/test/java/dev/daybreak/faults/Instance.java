package dev.daybreak.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import dev.daybreak.embedded.MortalDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * An instance of the service in a process of its own, always at the same address, with networks to PostgreSQL and Redis and a
 * clock that can fail.
 */
final class Instance implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(120);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    final FaultyProxy toPostgres;
    final FaultyProxy toRedis;
    private final int port;
    private final Path output;
    private final Path clock;
    private final List<String> command;
    private Process process;

    private Instance(FaultyProxy toPostgres, FaultyProxy toRedis, String kafka, int port, Path output, Path clock)
            throws IOException {
        this.toPostgres = toPostgres;
        this.toRedis = toRedis;
        this.port = port;
        this.output = output;
        this.clock = clock;
        this.command = command(kafka);
        this.process = launch();
    }

    /** Starts a process without waiting for it to be ready. */
    static Instance launch(int postgres, int redis, String kafka) throws IOException {
        return new Instance(
                FaultyProxy.to("127.0.0.1", postgres),
                FaultyProxy.to("127.0.0.1", redis),
                kafka,
                freePort(),
                Files.createTempFile("daybreak-instance", ".log"),
                Files.writeString(Files.createTempFile("daybreak-instance", ".clock"), "0"));
    }

    private List<String> command(String kafka) {
        var words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // quicker to start
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-Ddaybreak.test.clock=" + clock,
                "-cp",
                System.getProperty("java.class.path"),
                SkewedDaybreak.class.getName(),
                "--server.port=" + port,
                "--spring.data.redis.host=127.0.0.1",
                "--spring.data.redis.port=" + toRedis.port(),
                "--daybreak.admission.attempts=" + DaybreakTest.ATTEMPTS,
                "--spring.kafka.bootstrap-servers=" + kafka,
                "--daybreak.audit.interval=0",
                "--daybreak.booking.hold=1s",
                "--daybreak.booking.hold-cap=3s",
                "--daybreak.booking.sweep=200ms",
                "--daybreak.demo.enabled=false"));
        for (String property : MortalDatabase.properties(toPostgres.port())) {
            words.add("--" + property);
        }
        return words;
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    void awaitStarted() {
        Awaitility.await().atMost(START_LIMIT).until(() -> !process.isAlive() || output().contains("Started "));
        assertThat(process.isAlive()).as(output()).isTrue();
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    void startAgain() throws IOException {
        process = launch();
        awaitStarted();
    }

    void skewClock(Duration off) throws IOException {
        Files.writeString(clock, Long.toString(off.toMillis()));
    }

    int port() {
        return port;
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().orTimeout(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        toPostgres.close();
        toRedis.close();
        Files.deleteIfExists(output);
        Files.deleteIfExists(clock);
    }
}
