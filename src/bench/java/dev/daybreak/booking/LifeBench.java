package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Daybreak;
import dev.daybreak.admin.InvariantAudit;
import dev.daybreak.booking.BookingOutcome.Booked;
import dev.daybreak.booking.HoldChange.Kind;
import dev.daybreak.booking.HoldOutcome.Confirmed;
import dev.daybreak.booking.MoveOutcome.Moved;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * How many seats a second are booked directly, held, held and then confirmed, and changed for another by a move, over many slots,
 * by the service's Java API. Fails if one of the others is not half as fast as booking.
 *
 * <p>System property {@code bench.seconds} of each measurement (10). The servers are embedded ones, or those of Spring's own
 * properties.
 */
class LifeBench {

    private static final int CLIENTS = 256;
    private static final int SLOTS = 40_000;
    private static final int ROUNDS = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(3);

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
                        WITH d AS (INSERT INTO doctor (name, specialty) SELECT 'Dr. ' || n, 'Bench' FROM generate_series(1, 400) n RETURNING id)
                        INSERT INTO time_slot (doctor_id, start_at, end_at, capacity, opens_at)
                        SELECT d.id, t, t + interval '15 min', 1000, now()
                        FROM d, generate_series(date_trunc('day', now()) + interval '1 day', date_trunc('day', now()) + interval '2 day'
                            + interval '45 min', '15 min') t
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
    void holdsConfirmationsAndMovesAreHalfAsFastAsBookingsAtLeast() {
        Duration time =
                Duration.ofMillis((long) (Double.parseDouble(System.getProperty("bench.seconds", "10")) * 1000));
        Booking booking = service.getBean(Booking.class);
        Holds holds = service.getBean(Holds.class);
        Map<String, Supplier<Mono<Boolean>>> ways = new LinkedHashMap<>();
        ways.put("booked", book(booking));
        ways.put("held", hold(booking));
        ways.put("held and confirmed", holdAndConfirm(booking, holds));
        ways.put("moved", () -> move(booking));
        ways.values().forEach(way -> perSecond(way, WARM_UP));

        // In turn, as the machine is not the same from one minute to the next.
        Map<String, Double> rates = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            ways.forEach((name, way) -> rates.merge(name, perSecond(way, time.dividedBy(ROUNDS)), Double::sum));
        }

        double booked = rates.get("booked");
        rates.forEach((name, rate) ->
                System.out.printf("%s: %,.0f a second, %.2f of booked%n", name, rate / ROUNDS, rate / booked));
        assertThat(service.getBean(InvariantAudit.class).run().block(Duration.ofMinutes(2)))
                .allMatch(finding -> finding.count() == 0);
        assertThat(rates.values()).allSatisfy(rate -> assertThat(rate).isGreaterThan(booked / 2));
    }

    private Supplier<Mono<Boolean>> book(Booking booking) {
        return () -> booking.book(request())
                .doOnNext(outcome -> {
                    if (outcome instanceof Booked booked) {
                        appointments.add(booked.appointment().id());
                    }
                })
                .map(Booked.class::isInstance);
    }

    private Supplier<Mono<Boolean>> hold(Booking booking) {
        return () -> booking.book(request().holding(HoldToken.random())).map(Booked.class::isInstance);
    }

    private Supplier<Mono<Boolean>> holdAndConfirm(Booking booking, Holds holds) {
        return () -> {
            HoldToken token = HoldToken.random();
            return booking.book(request().holding(token))
                    .cast(Booked.class)
                    .flatMap(held ->
                            holds.change(new HoldChange(held.appointment().id(), Kind.CONFIRM, token.hash())))
                    .map(Confirmed.class::isInstance);
        };
    }

    private Mono<Boolean> move(Booking booking) {
        long appointment = appointments.remove();
        return booking.move(new Move(appointment, anySlot(), "patient"))
                .doOnNext(outcome -> appointments.add(appointment))
                .map(Moved.class::isInstance);
    }

    private BookingRequest request() {
        long patient = patients.incrementAndGet();
        return new BookingRequest(anySlot(), patient, new IdempotencyKey("bench-" + patient));
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
                .then()
                .block(time.plusSeconds(30));
        return done.sum() / ((System.nanoTime() - start) / 1e9);
    }
}
