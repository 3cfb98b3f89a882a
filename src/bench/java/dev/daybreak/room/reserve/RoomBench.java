package dev.daybreak.room.reserve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Daybreak;
import dev.daybreak.room.RoomSettings;
import dev.daybreak.room.TimeRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.util.FileSystemUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Compares the ways to guard a room: 64 clients ask for times in pairs that overlap by half, on one room and on a hundred. Half of them
 * must be refused. Fails if any way but the naive one makes a double booking.
 *
 * <p>System properties: {@code bench.seconds} of each measurement (5), {@code bench.output} folder ({@code docs}).
 */
class RoomBench {

    private static final int CLIENTS = 64;
    private static final int MANY = 100;
    private static final Duration QUARTER = Duration.ofMinutes(15);
    private static final Instant FIRST = Instant.parse("2030-01-01T00:00:00Z");

    private final double seconds = Double.parseDouble(System.getProperty("bench.seconds", "5"));
    private Path folder;
    private ConfigurableApplicationContext service;
    private DatabaseClient database;

    @BeforeEach
    void startTheService() throws IOException {
        folder = Files.createTempDirectory("daybreak-bench");
        service = new SpringApplicationBuilder(Daybreak.class)
                .run(
                        "--server.port=0",
                        "--daybreak.demo.enabled=false",
                        "--daybreak.embedded.data-dir=" + folder.resolve("data"));
        database = service.getBean(DatabaseClient.class);
        RoomGuard.Statements.createTables(database);
    }

    @AfterEach
    void stopIt() {
        service.close();
        FileSystemUtils.deleteRecursively(folder.toFile());
    }

    private record Measured(long accepted, long refused, long doubles, long errors, double seconds) {}

    private record Row(RoomGuard guard, Measured one, Measured many) {}

    @Test
    void comparesTheWaysToGuardARoom() throws IOException {
        Ledger ledger = service.getBean(Ledger.class);
        var queues = new RoomQueues<Claim, Outcome>(
                service.getBean(RoomSettings.class),
                claim -> false,
                (room, turns) -> RoomGuard.Queued.serve(ledger, room, turns));
        List<RoomGuard> guards = RoomGuard.all(database, service.getBean(TransactionalOperator.class), ledger, queues);
        guards.forEach(guard -> measure(guard, MANY, seconds / 2));

        List<Row> rows = new ArrayList<>();
        for (RoomGuard guard : guards) {
            rows.add(new Row(guard, measure(guard, 1, seconds), measure(guard, MANY, seconds)));
        }

        String table = table(rows);
        System.out.println(table);
        Files.writeString(Path.of(System.getProperty("bench.output", "docs")).resolve("rooms.md"), table);
        assertThat(rows.getFirst().one().doubles() + rows.getFirst().many().doubles())
                .as("the naive way, or this was no race")
                .isPositive();
        assertThat(rows.subList(1, rows.size()))
                .allMatch(row -> row.one().doubles() + row.many().doubles() == 0);
    }

    private Measured measure(RoomGuard guard, int rooms, double length) {
        database.sql("TRUNCATE bench_outbox, outbox_event, " + guard.table())
                .then()
                .block();
        var next = new AtomicLong();
        var accepted = new LongAdder();
        var refused = new LongAdder();
        var errors = new LongAdder();
        long start = System.nanoTime();
        long end = start + (long) (length * 1e9);
        Mono<Void> client = Mono.defer(() -> ask(guard, rooms, next.getAndIncrement()))
                .doOnNext(free -> (free ? accepted : refused).increment())
                .doOnError(failure -> errors.increment())
                .onErrorComplete()
                .then();
        Flux.range(0, CLIENTS)
                .flatMap(i -> client.repeat(() -> System.nanoTime() < end), CLIENTS)
                .blockLast();
        double took = (System.nanoTime() - start) / 1e9;
        return new Measured(accepted.sum(), refused.sum(), doubles(guard), errors.sum(), took);
    }

    /** Every second one overlaps with the one before it. */
    private static Mono<Boolean> ask(RoomGuard guard, int rooms, long number) {
        long pair = number / 2;
        Instant start = FIRST.plus(QUARTER.multipliedBy(4 * (pair / rooms) + number % 2));
        return guard.reserve(1 + pair % rooms, new TimeRange(start, start.plus(QUARTER.multipliedBy(2))));
    }

    private long doubles(RoomGuard guard) {
        return database.sql("""
                        SELECT count(*) FROM (SELECT start_at < lag(end_at) OVER (PARTITION BY room_id ORDER BY start_at, id) AS too_early
                        FROM %s WHERE status = 'ACTIVE') r WHERE too_early""".formatted(guard.table()))
                .mapValue(Long.class)
                .one()
                .block();
    }

    private String table(List<Row> rows) {
        return """
                <!-- Written by `./mvnw -Pbench verify -Dtest=RoomBench`. -->

                | way to guard a room | one room | refused | double | %d rooms | refused | double | errors |
                | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
                %s

                Reservations a second, and refusals, by %d clients over 20 connections (the queue: over 4), %s s each after a warm-up, on an embedded \
                PostgreSQL with commits flushed to disk. Requests come in pairs that overlap by half. "Double" counts reservations that overlap \
                with one before them. The figures are this machine's; their ratios carry over.
                """.formatted(MANY, rows.stream().map(this::line).collect(Collectors.joining("\n")), CLIENTS, seconds);
    }

    private String line(Row row) {
        return String.format(
                Locale.ROOT,
                "| %s | %,.0f | %,.0f | %s | %,.0f | %,.0f | %s | %,d |",
                row.guard().name(),
                row.one().accepted() / row.one().seconds(),
                row.one().refused() / row.one().seconds(),
                doubles(row.one()),
                row.many().accepted() / row.many().seconds(),
                row.many().refused() / row.many().seconds(),
                doubles(row.many()),
                row.one().errors() + row.many().errors());
    }

    private static String doubles(Measured measured) {
        return measured.doubles() > 0 ? "**" + measured.doubles() + "**" : "0";
    }
}
