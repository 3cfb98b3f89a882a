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
import org.awaitility.Awaitility;

/** An instance in a process of its own, to be killed. */
final class ChildInstance implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final Pattern PORT = Pattern.compile("started on port (\\d+)");

    private final Path output;
    private final Process process;

    private ChildInstance(Path output, Process process) {
        this.output = output;
        this.process = process;
    }

    static ChildInstance start(List<String> properties) throws IOException {
        Path output = Files.createTempFile("daybreak-child", ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // quicker to start
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Daybreak.class.getName(),
                "--server.port=0",
                "--logging.level.org.springframework.boot.reactor.netty=info",
                "--daybreak.demo.enabled=false"));
        properties.forEach(property -> command.add("--" + property));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        var child = new ChildInstance(output, process);
        Awaitility.await()
                .atMost(START_LIMIT)
                .until(() -> !process.isAlive() || PORT.matcher(child.output()).find());
        assertThat(child.output()).containsPattern(PORT);
        return child;
    }

    String url() {
        Matcher port = PORT.matcher(output());
        assertThat(port.find()).isTrue();
        return "http://127.0.0.1:" + port.group(1);
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
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
