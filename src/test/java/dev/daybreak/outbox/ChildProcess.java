package dev.daybreak.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Daybreak;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** An instance or a broker in a process of its own, to be killed or stopped short. */
final class ChildProcess implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final Pattern PORT = Pattern.compile("started on port (\\d+)");
    private static final Pattern BROKER = Pattern.compile("broker at (\\S+)");

    private final Path output;
    private final Process process;
    private final String address;

    private ChildProcess(Path output, Process process, Pattern ready) {
        this.output = output;
        this.process = process;
        Awaitility.await()
                .atMost(START_LIMIT)
                .until(() -> !process.isAlive() || ready.matcher(output()).find());
        Matcher found = ready.matcher(output());
        assertThat(found.find()).as(output()).isTrue();
        this.address = found.group(1);
    }

    static ChildProcess instance(List<String> properties) throws IOException {
        return start(
                Daybreak.class,
                PORT,
                Stream.concat(
                                Stream.of(
                                        "server.port=0",
                                        "logging.level.org.springframework.boot.reactor.netty=info",
                                        "daybreak.demo.enabled=false"),
                                properties.stream())
                        .map(property -> "--" + property)
                        .toList());
    }

    static ChildProcess broker() throws IOException {
        return start(Broker.Alone.class, BROKER, List.of());
    }

    private static ChildProcess start(Class<?> main, Pattern ready, List<String> arguments) throws IOException {
        Path output = Files.createTempFile("daybreak-child", ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // quicker to start
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        return new ChildProcess(
                output,
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start(),
                ready);
    }

    /** Of a broker. */
    String servers() {
        return address;
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    /** SIGSTOP: its connections stay open, and nothing is answered. */
    void freeze() throws Exception {
        signal("STOP");
    }

    void thaw() throws Exception {
        signal("CONT");
    }

    private void signal(String name) throws Exception {
        Process sending = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(sending.waitFor()).isZero();
    }

    private String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
        Files.deleteIfExists(output);
    }
}
