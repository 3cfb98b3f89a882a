package dev.daybreak.bench.outside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.bench.outside.OpenLoad.Result;
import dev.daybreak.bench.outside.RemoteClinic.Day;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the first requests after a start wait for, with and without a warm-up: an instance beside another that has the servers gets
 * lists and bookings in turn from the moment it is ready. Fails if after a warm-up the p99 of the first second is above
 * twice that of the last seconds.
 *
 * <p>System properties: {@code bench.rate} of requests (500 a second), {@code bench.seconds} (15), {@code bench.rounds} (3), {@code
 * bench.jar}, {@code bench.java} (options of the measured JVM, separated by spaces), {@code bench.warmup} ({@code 10s}).
 */
class WarmStartBench {

    private static final String HEAP = "1g";
    private static final int SLOTS = 40;
    private static final int CAPACITY = 10_000;
    private static final int CONNECTIONS = 64;
    private static final int STEADY = 5;

    private final double rate = Double.parseDouble(System.getProperty("bench.rate", "500"));
    private final int seconds = Integer.getInteger("bench.seconds", 15);
    private final int rounds = Integer.getInteger("bench.rounds", 3);
    private final Path jar = Path.of(System.getProperty("bench.jar", "target/daybreak.jar"));
    private final String warmUp = System.getProperty("bench.warmup", "10s");
    private final List<String> options = Stream.of(
                    System.getProperty("bench.java", "").split(" "))
            .filter(option -> !option.isEmpty())
            .toList();

    private record Start(double readyAfter, double first, double second, double steady) {}

    @Test
    void theFirstSecondIsServedAsAnyOther() throws Exception {
        try (var host = ServiceProcess.start(jar, HEAP, List.of("--spring.r2dbc.pool.max-size=4"));
                var clinic = new RemoteClinic(host.url())) {
            Day day = clinic.publish("Warm start", SLOTS, CAPACITY);
            var cold = new ArrayList<Start>();
            var warm = new ArrayList<Start>();
            for (int round = 0; round < rounds; round++) {
                cold.add(start(host, clinic, day, "0s"));
                warm.add(start(host, clinic, day, warmUp));
            }
            System.out.println("| warm-up | ready after s | p99 of the first second, ms | of the second | of the last "
                    + STEADY + " |\n| --- | --- | --- | --- | --- |");
            cold.forEach(start -> System.out.println(row("none", start)));
            warm.forEach(start -> System.out.println(row(warmUp, start)));
            double median = warm.stream()
                    .mapToDouble(start -> start.first() / start.steady())
                    .sorted()
                    .skip(rounds / 2)
                    .findFirst()
                    .orElseThrow();
            assertThat(median).as("first second to steady, p99").isLessThanOrEqualTo(2);
        }
    }

    private static String row(String name, Start start) {
        return "| %s | %.1f | %.1f | %.1f | %.1f |"
                .formatted(name, start.readyAfter(), start.first(), start.second(), start.steady());
    }

    private Start start(ServiceProcess host, RemoteClinic clinic, Day day, String warmUp) throws IOException {
        List<String> properties = new ArrayList<>(host.connectionProperties());
        properties.add("--daybreak.rollout.warm-up=" + warmUp);
        properties.add("--daybreak.admission.attempts=1000000");
        long begun = System.nanoTime();
        try (var service = ServiceProcess.start(jar, HEAP, options, properties);
                var wire = new Wire(service.url())) {
            double readyAfter = (System.nanoTime() - begun) / 1e9;
            var load = new OpenLoad(wire, CONNECTIONS);
            byte[] list = day.list();
            Result result = load.run(
                    rate,
                    seconds,
                    i -> i % 2 == 0 ? list : clinic.booking(day.slotIds().get(i % SLOTS)));
            assertThat(result.countByStatus()).as("answers").containsOnlyKeys(200, 201);
            return new Start(readyAfter, p99(result, 0, 1), p99(result, 1, 2), p99(result, seconds - STEADY, seconds));
        }
    }

    private double p99(Result result, int from, int to) {
        long[] times = IntStream.range((int) (from * rate), (int) (to * rate))
                .mapToLong(i -> result.answeredAt()[i] - result.dueAt(i))
                .sorted()
                .toArray();
        return Percentile.millis(times, 99);
    }
}
