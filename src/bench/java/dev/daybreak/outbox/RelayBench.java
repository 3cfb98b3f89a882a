package dev.daybreak.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Daybreak;
import dev.daybreak.admin.InvariantAudit;
import dev.daybreak.booking.Booking;
import dev.daybreak.booking.BookingOutcome.Booked;
import dev.daybreak.booking.BookingRequest;
import dev.daybreak.booking.IdempotencyKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.util.FileSystemUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What the relay costs those who book, and how fast it is when they are done: bookings a second over many slots without and with it, in
 * turns, and events a second from the table to the notifier's rows. Fails if a tenth of the bookings is lost to the relay.
 *
 * <p>System property {@code bench.seconds} of each measurement (10). The servers are embedded ones, or those of Spring's own
 * properties.
 */
class RelayBench {

    private static final int CLIENTS = 256;
    private static final int SLOTS = 40_000;
    private static final int ROUNDS = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(8);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final AtomicLong patients = new AtomicLong(System.nanoTime());
    private Path folder;
    private ConfigurableApplicationContext service;
    private Booking booking;
    private OutboxRelay relay;
    private DatabaseClient database;
    private List<Long> slots;

    @BeforeEach
    void startTheService() throws IOException {
        folder = Files.createTempDirectory("daybreak-bench");
        service = new SpringApplicationBuilder(Daybreak.class)
                .run(
                        "--server.port=0",
                        "--daybreak.demo.enabled=false",
                        "--daybreak.embedded.data-dir=" + folder.resolve("data"));
        booking = service.getBean(Booking.class);
        relay = service.getBean(OutboxRelay.class);
        database = service.getBean(DatabaseClient.class);
        slots = database.sql("""
                        WITH d AS (INSERT INTO doctor (name, specialty) SELECT 'Dr. ' || n, 'Bench' FROM generate_series(1, 400) n RETURNING id)
                        INSERT INTO time_slot (doctor_id, start_at, end_at, capacity, opens_at)
                        SELECT d.id, t, t + interval '15 min', 1000, now()
                        FROM d, generate_series(date_trunc('day', now()) + interval '3 days', date_trunc('day', now()) + interval '4 days'
                            + interval '45 min', '15 min') t
                        LIMIT %d RETURNING id""".formatted(SLOTS))
                .mapValue(Long.class)
                .all()
                .collectList()
                .block(LIMIT);
    }

    @AfterEach
    void stopIt() {
        service.close();
        FileSystemUtils.deleteRecursively(folder.toFile());
    }

    @Test
    void theRelayCostsNoTenthOfTheBookings() throws InterruptedException {
        Duration time = Duration.ofMillis(
                (long) (Double.parseDouble(System.getProperty("bench.seconds", "10")) * 1000 / ROUNDS));
        booked(WARM_UP);
        drained();
        double without = 0;
        double with = 0;
        double carried = 0;
        for (int round = 0; round < ROUNDS; round++) {
            relay.stop();
            without += booked(time);
            relay.start();
            carried += drained();
            with += booked(time);
            drained();
        }

        System.out.printf(
                "bookings a second: %,.0f without the relay, %,.0f with it, %.2f of that; events carried a second: %,.0f%n",
                without / ROUNDS, with / ROUNDS, with / without, carried / ROUNDS);
        assertThat(service.getBean(InvariantAudit.class).run().block(LIMIT)).allMatch(finding -> finding.count() == 0);
        assertThat(with).isGreaterThan(without * 0.9);
    }

    /** A second, by clients that ask again as soon as they are answered. */
    private double booked(Duration time) {
        var done = new LongAdder();
        long start = System.nanoTime();
        Flux.range(0, CLIENTS)
                .flatMap(
                        client -> Mono.defer(() -> booking.book(request()))
                                .doOnNext(outcome -> {
                                    if (outcome instanceof Booked) {
                                        done.increment();
                                    }
                                })
                                .repeat(() -> System.nanoTime() - start < time.toNanos()),
                        CLIENTS)
                .then()
                .block(time.plus(LIMIT));
        return done.sum() / ((System.nanoTime() - start) / 1e9);
    }

    private BookingRequest request() {
        long patient = patients.incrementAndGet();
        long slot = slots.get(ThreadLocalRandom.current().nextInt(slots.size()));
        return new BookingRequest(slot, patient, new IdempotencyKey("bench-" + patient));
    }

    /** Events a second until none waits. */
    private double drained() throws InterruptedException {
        long start = System.nanoTime();
        long before = waiting();
        while (waiting() > 0) {
            assertThat(System.nanoTime() - start).isLessThan(LIMIT.toNanos());
            Thread.sleep(50);
        }
        return before / ((System.nanoTime() - start) / 1e9);
    }

    private long waiting() {
        return database.sql("SELECT count(*) FROM outbox_event WHERE published_at IS NULL AND dead_at IS NULL")
                .mapValue(Long.class)
                .one()
                .block(LIMIT);
    }
}
