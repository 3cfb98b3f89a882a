package dev.daybreak.bench.outside;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.daybreak.bench.outside.OpenLoad.Result;
import dev.daybreak.bench.outside.RemoteClinic.Day;
import dev.daybreak.bench.outside.ServiceProcess.Memory;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * The live feed with very many subscribers, on an instance of its own with 1 GiB of heap: memory for each, updates delivered,
 * time from commit to the last subscriber, and what is left when they have gone.
 *
 * <p>System properties: {@code bench.subscribers} (10000), {@code bench.seconds} of updates (30), {@code bench.jar}
 * ({@code target/daybreak.jar}), {@code bench.args} for the service, separated by spaces, such as those that name its servers.
 */
class FeedBench {

    private static final String HEAP = "1g";
    private static final int SLOTS = 40;
    private static final int CAPACITY = 10_000;
    private static final double BOOKINGS_A_SECOND = 10;
    private static final int BOOKERS = 16;
    private static final int CONNECTING_AT_ONCE = 200;
    private static final int OTHER_FILES = 1000;
    private static final int WARM_UP = 500;
    private static final long SPARE_HEAP = 16 << 20;
    private static final Duration CONNECTING = Duration.ofMinutes(3);
    private static final Duration SETTLING = Duration.ofSeconds(20);

    private final int subscribers = Integer.getInteger("bench.subscribers", 10_000);
    private final double seconds = Double.parseDouble(System.getProperty("bench.seconds", "30"));
    private final Path jar = Path.of(System.getProperty("bench.jar", "target/daybreak.jar"));
    private final List<String> args = Stream.of(
                    System.getProperty("bench.args", "").split(" "))
            .filter(argument -> !argument.isEmpty())
            .toList();

    @Test
    void everybodyWatchesOneDay() throws Exception {
        measure(1);
    }

    @Test
    void everybodyWatchesOneOfAHundredDays() throws Exception {
        measure(100);
    }

    private void measure(int days) throws Exception {
        requireFiles();
        try (var service = ServiceProcess.start(jar, HEAP, args);
                var clinic = new RemoteClinic(service.url());
                var wire = new Wire(service.url())) {
            var bookers = new OpenLoad(wire, BOOKERS);
            Day other = clinic.publish("Warm-up", SLOTS, CAPACITY);
            connectAndLeave(wire, other, Math.min(WARM_UP, subscribers));
            bookers.run(10 * BOOKINGS_A_SECOND, 1, i -> clinic.booking(slot(other, i)));
            awaitNobody(clinic);

            List<Audience> audiences = IntStream.range(0, days)
                    .mapToObj(i -> new Audience(
                            clinic.publish("Feed " + i, SLOTS, CAPACITY),
                            subscribers / days + (i < subscribers % days ? 1 : 0)))
                    .toList();
            Memory before = service.memory();
            connect(wire, subscribers, i -> audiences.get(i % days).newMember(), () -> greeted(audiences));
            Memory watched = service.memory();

            Result result = bookers.run(
                    BOOKINGS_A_SECOND,
                    seconds,
                    i -> clinic.booking(slot(audiences.get(i % days).day(), i / days)));
            wire.turnUntil(() -> isKnown(audiences, result), SETTLING);
            double took = (System.nanoTime() - result.start()) / 1e9;
            long[] lags = lags(audiences, result);
            Memory busy = service.memory();

            audiences.forEach(Audience::leave);
            connectAndLeave(wire, other, subscribers);
            awaitNobody(clinic);
            Memory after = service.memory();

            System.out.println(markdown(days, before, watched, busy, after)
                    + delivery(audiences, result, lags, took, clinic.gauge("daybreak.feed.events?tag=result:dropped")));
            assertThat(result.countByStatus()).as("answers").containsOnlyKeys(201);
            assertThat(lags).as("bookings that everybody learned of").hasSize(result.status().length);
            assertThat(after.live()).as("heap when everybody has gone").isLessThan(before.live() + SPARE_HEAP);
        }
    }

    private void requireFiles() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            assertThat(system.getMaxFileDescriptorCount())
                    .as("open files allowed to a process (ulimit -n), needed by this one and by the service")
                    .isGreaterThanOrEqualTo(subscribers + OTHER_FILES);
        }
    }

    private static long slot(Day day, int booking) {
        return day.slotIds().get(booking % SLOTS);
    }

    private static int greeted(List<Audience> audiences) {
        return audiences.stream().mapToInt(Audience::greeted).sum();
    }

    /** Opens connections, so many at a time as the server's backlog takes. */
    private static void connect(Wire wire, int count, IntFunction<Wire.Peer> peers, IntSupplier done) {
        int opened = 0;
        long end = System.nanoTime() + CONNECTING.toNanos();
        while (done.getAsInt() < count) {
            while (opened < count && opened - done.getAsInt() < CONNECTING_AT_ONCE) {
                wire.connect(peers.apply(opened++));
            }
            wire.turn();
            assertThat(System.nanoTime() - end).as("connects in time").isNegative();
        }
    }

    private static void connectAndLeave(Wire wire, Day day, int count) {
        var gone = new int[1];
        connect(wire, count, i -> new Visitor(day, i, () -> gone[0]++), () -> gone[0]);
    }

    private static void awaitNobody(RemoteClinic clinic) {
        Awaitility.await("no subscriber and no watched day is left")
                .atMost(SETTLING)
                .untilAsserted(() -> {
                    assertThat(clinic.gauge("daybreak.feed.subscribers")).isZero();
                    assertThat(clinic.gauge("daybreak.feed.days")).isZero();
                });
    }

    /** Whether everybody knows of the last booking of each day. */
    private static boolean isKnown(List<Audience> audiences, Result result) {
        int last = result.status().length - 1;
        return IntStream.rangeClosed(0, last).allMatch(i -> knownAt(audiences, last - i) >= 0);
    }

    private static long knownAt(List<Audience> audiences, int booking) {
        Audience audience = audiences.get(booking % audiences.size());
        int number = booking / audiences.size();
        return audience.knownAt(slot(audience.day(), number), CAPACITY - 1 - number / SLOTS);
    }

    /** Of each booking that everybody knows of, how long after its answer the last of them did, sorted. */
    private static long[] lags(List<Audience> audiences, Result result) {
        return IntStream.range(0, result.status().length)
                .filter(booking -> knownAt(audiences, booking) >= 0)
                .mapToLong(booking -> Math.max(0, knownAt(audiences, booking) - result.answeredAt()[booking]))
                .sorted()
                .toArray();
    }

    private String markdown(int days, Memory before, Memory watched, Memory busy, Memory after) {
        return """

                %,d subscribers of %d day(s), heap of %s.

                | | before | watched | after the updates | all gone, and %,d more |
                | --- | --- | --- | --- | --- |
                | live heap, MiB | %s |
                | resident, MiB | %s |

                A subscriber takes %.1f KiB of heap and %.1f KiB resident.
                """.formatted(
                        subscribers,
                        days,
                        HEAP,
                        subscribers,
                        mebibytes(before.live(), watched.live(), busy.live(), after.live()),
                        mebibytes(before.resident(), watched.resident(), busy.resident(), after.resident()),
                        (watched.live() - before.live()) / 1024.0 / subscribers,
                        (watched.resident() - before.resident()) / 1024.0 / subscribers);
    }

    private static String mebibytes(long... bytes) {
        return String.join(
                " | ",
                Arrays.stream(bytes)
                        .mapToObj(one -> "%.1f".formatted(one / 1024.0 / 1024))
                        .toList());
    }

    private static String delivery(List<Audience> audiences, Result result, long[] lags, double took, long dropped) {
        long delivered = audiences.stream().mapToLong(Audience::delivered).sum();
        return "%d bookings in %.1f s: %,d events delivered, %,.0f a second (%,d replaced by a snapshot). "
                        .formatted(result.status().length, took, delivered, delivered / took, dropped)
                + "From the answer to the last subscriber: p50 %.1f ms, p99 %.1f ms, max %.1f ms.%n"
                        .formatted(
                                Percentile.millis(lags, 50), Percentile.millis(lags, 99), Percentile.millis(lags, 100));
    }

    /** Leaves as soon as it has seen the day; every fourth without waiting for it. */
    private static final class Visitor extends Watcher {

        private final int number;
        private final Runnable left;
        private boolean gone;

        Visitor(Day day, int number, Runnable left) {
            super(day.watch());
            this.number = number;
            this.left = left;
        }

        @Override
        void connected() {
            super.connected();
            if (number % 4 == 3) {
                go();
            }
        }

        @Override
        void event(int of, boolean snapshot, byte[] text, int from, int to) {
            go();
        }

        private void go() {
            if (!gone) {
                gone = true;
                leave(number % 2 == 0);
                left.run();
            }
        }
    }
}
