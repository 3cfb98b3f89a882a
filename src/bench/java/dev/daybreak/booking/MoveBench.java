package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Daybreak;
import dev.daybreak.admin.InvariantAudit;
import dev.daybreak.booking.BookingOutcome.Booked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
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
 * How many appointments a second are moved, beside how many are booked, over many slots, by the service's Java API.
 *
 * <p>System property {@code bench.seconds} of each measurement (10). The servers are embedded ones, or those of Spring's own
 * properties.
 */
class MoveBench {

    private static final int CLIENTS = 256;
    private static final int SLOTS = 40_000;

    private final AtomicLong patients = new AtomicLong(System.nanoTime());
    private final Queue<Long> appointments = new ConcurrentLinkedQueue<>();
    private Path folder;
    private ConfigurableApplicationContext service;
    private List<Long> slots;

    @BeforeEach
    void startTheService() throws IOException {
        folder = Files.createTempDirectory("daybreak-bench");
        service = new SpringApplicationBuilder(Daybreak.class)
                .run(
                        "--server.port=0",
                        "--daybreak.demo.enabled=false",
                        "--daybreak.embedded.data-dir=" + folder.resolve("data"));
        slots = service.getBean(DatabaseClient.class)
                .sql("""
                        WITH d AS (INSERT INTO doctor (name, specialty) SELECT 'Dr. ' || n, 'Bench' FROM generate_series(1, 500) n RETURNING id)
                        INSERT INTO time_slot (doctor_id, start_at, end_at, capacity, opens_at)
                        SELECT d.id, t, t + interval '15 min', 1000, now()
                        FROM d, generate_series(date_trunc('day', now()) + interval '1 day', date_trunc('day', now()) + interval '2 days',
                            '15 min') t
                        LIMIT %d RETURNING id""".formatted(SLOTS))
                .mapValue(Long.class)
                .all()
                .collectList()
                .block(Duration.ofMinutes(1));
    }

    @AfterEach
    void stopIt() {
        service.close();
        FileSystemUtils.deleteRecursively(folder.toFile());
    }

    @Test
    void comparesMovesWithDirectBookings() {
        Duration time =
                Duration.ofMillis((long) (Double.parseDouble(System.getProperty("bench.seconds", "10")) * 1000));
        Duration warmUp = time.dividedBy(3);
        Booking booking = service.getBean(Booking.class);
        perSecond(() -> book(booking), warmUp);
        perSecond(() -> move(booking), warmUp);

        double booked = perSecond(() -> book(booking), time);
        double moved = perSecond(() -> move(booking), time);

        System.out.printf("booked %,.0f a second; moved %,.0f (%.2f)%n", booked, moved, moved / booked);
        assertThat(service.getBean(InvariantAudit.class).run().block(Duration.ofMinutes(2)))
                .allMatch(finding -> finding.count() == 0);
    }

    private Mono<Boolean> book(Booking booking) {
        long patient = patients.incrementAndGet();
        return booking.book(new BookingRequest(anySlot(), patient, new IdempotencyKey("bench-" + patient)))
                .doOnNext(outcome -> {
                    if (outcome instanceof Booked booked) {
                        appointments.add(booked.appointment().id());
                    }
                })
                .map(Booked.class::isInstance);
    }

    private Mono<Boolean> move(Booking booking) {
        long appointment = appointments.remove();
        return booking.move(new Move(appointment, anySlot(), "patient"))
                .doOnNext(outcome -> appointments.add(appointment))
                .map(MoveOutcome.Moved.class::isInstance);
    }

    private long anySlot() {
        return slots.get(ThreadLocalRandom.current().nextInt(slots.size()));
    }

    /** Clients that ask again as soon as they are answered. */
    private static double perSecond(Supplier<Mono<Boolean>> way, Duration time) {
        var done = new LongAdder();
        long start = System.nanoTime();
        long end = start + time.toNanos();
        Flux.range(0, CLIENTS)
                .flatMap(
                        client -> Mono.defer(way)
                                .doOnNext(ok -> {
                                    if (ok) {
                                        done.increment();
                                    }
                                })
                                .repeat(() -> System.nanoTime() < end),
                        CLIENTS)
                .blockLast(time.plusSeconds(30));
        return done.sum() / ((System.nanoTime() - start) / 1e9);
    }
}
