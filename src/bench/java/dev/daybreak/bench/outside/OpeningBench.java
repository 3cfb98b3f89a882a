package dev.daybreak.bench.outside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.bench.outside.OpenLoad.Result;
import dev.daybreak.bench.outside.RemoteClinic.Day;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * The opening: bookings arrive at a constant rate on 40 slots of 10 seats, while others watch that day.
 *
 * <p>System properties: {@code bench.url} of the running service, {@code bench.rate} a second (5000), {@code bench.seconds} (30),
 * {@code bench.warmup} seconds of the same before, on another doctor (10), {@code bench.connections} (256),
 * {@code bench.subscribers} (200).
 */
class OpeningBench {

    private static final int SLOTS = 40;
    private static final int CAPACITY = 10;
    private static final int CREATED = 201;
    private static final int CONFLICT = 409;
    private static final int UNAVAILABLE = 503;
    private static final Duration CONNECTING = Duration.ofSeconds(30);
    private static final Duration SETTLING = Duration.ofSeconds(10);
    private static final Duration LATEST_NEWS = Duration.ofSeconds(1);

    private final int rate = Integer.getInteger("bench.rate", 5000);
    private final double seconds = Double.parseDouble(System.getProperty("bench.seconds", "30"));
    private final double warmup = Double.parseDouble(System.getProperty("bench.warmup", "10"));
    private final int connections = Integer.getInteger("bench.connections", 256);
    private final int subscribers = Integer.getInteger("bench.subscribers", 200);

    @Test
    void sellsEverySeatOnceAndTellsEverybody() throws Exception {
        URI url = URI.create(System.getProperty("bench.url", "http://127.0.0.1:8080"));
        try (var clinic = new RemoteClinic(url);
                var wire = new Wire(url)) {
            var load = new OpenLoad(wire, connections);
            if (warmup > 0) {
                book(load, clinic, clinic.publish("Warm-up", SLOTS, CAPACITY), warmup);
            }
            Day day = clinic.publish("Opening", SLOTS, CAPACITY);
            List<Onlooker> onlookers = IntStream.range(0, subscribers)
                    .mapToObj(i -> new Onlooker(day))
                    .toList();
            onlookers.forEach(wire::connect);
            assertThat(wire.turnUntil(() -> onlookers.stream().allMatch(Onlooker::isGreeted), CONNECTING))
                    .as("every subscriber gets a snapshot")
                    .isTrue();

            Result result = book(load, clinic, day, seconds);
            long lastChange = result.lastAnswerAt(status -> status == CREATED);
            wire.turnUntil(() -> System.nanoTime() - lastChange > 2 * LATEST_NEWS.toNanos(), SETTLING);

            long lastNews = onlookers.stream()
                    .mapToLong(one -> one.changedAt - lastChange)
                    .max()
                    .orElse(0);
            System.out.println(markdown(result, lastNews));
            verify(clinic, day, onlookers, result, lastNews);
        }
    }

    private Result book(OpenLoad load, RemoteClinic clinic, Day day, double length) {
        return load.run(
                rate,
                length,
                i -> clinic.booking(day.slotIds().get(i % day.slotIds().size())));
    }

    private static void verify(RemoteClinic clinic, Day day, List<Onlooker> onlookers, Result result, long lastNews) {
        assertThat(result.countByStatus().keySet())
                .as("statuses")
                .allMatch(status -> status >= 200 && status < 500 || status == UNAVAILABLE);
        assertThat(result.countByStatus().get(CREATED)).as("accepted").isEqualTo(SLOTS * CAPACITY);
        assertThat(clinic.audit().get("ok").asBoolean()).as("invariants").isTrue();
        Awaitility.await("every slot is full in the list")
                .atMost(SETTLING)
                .until(() -> clinic.slots(day).values().stream().allMatch(slot -> slot.contains("\"remaining\":0,")));
        TreeMap<Long, String> list = clinic.slots(day);
        assertThat(onlookers)
                .as("what subscribers know")
                .allSatisfy(one -> assertThat(one.belief()).isEqualTo(list));
        assertThat(lastNews)
                .as("nanoseconds from the last change to the last subscriber")
                .isLessThanOrEqualTo(LATEST_NEWS.toNanos());
    }

    private String markdown(Result result, long lastNews) {
        return """

                %d bookings a second offered for %s s on %d connections, %d subscribers; %.0f a second answered.

                | answer | count | p50 ms | p99 ms | p99.9 ms | max ms |
                | --- | --- | --- | --- | --- | --- |
                %s
                Answers by status (0: none, -1: connection closed): %s. Last change to last subscriber: %.1f ms.
                """.formatted(
                        rate,
                        seconds,
                        connections,
                        subscribers,
                        result.reached(),
                        row("accepted", result.latencies(status -> status == CREATED))
                                + row("refused", result.latencies(status -> status == CONFLICT))
                                + row("all", result.latencies(status -> status > 0)),
                        result.countByStatus(),
                        Math.max(0, lastNews) / 1e6);
    }

    private static String row(String name, long[] sorted) {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %.1f | %.1f | %.1f | %.1f |%n",
                name,
                sorted.length,
                Percentile.millis(sorted, 50),
                Percentile.millis(sorted, 99),
                Percentile.millis(sorted, 99.9),
                Percentile.millis(sorted, 100));
    }

    /** Keeps what the feed says, to be read when the load is over. */
    private static final class Onlooker extends Watcher {

        private final List<byte[]> events = new ArrayList<>();
        private long changedAt;

        Onlooker(Day day) {
            super(day.watch());
        }

        boolean isGreeted() {
            return !events.isEmpty();
        }

        @Override
        void event(int number, boolean snapshot, byte[] text, int from, int to) {
            events.add(Arrays.copyOfRange(text, from, to));
            changedAt = System.nanoTime();
        }

        /** Each slot as the newest event that names it has it. */
        TreeMap<Long, String> belief() {
            var belief = new TreeMap<Long, String>();
            events.forEach(event -> belief.putAll(slots(new String(event, StandardCharsets.UTF_8))));
            return belief;
        }
    }
}
