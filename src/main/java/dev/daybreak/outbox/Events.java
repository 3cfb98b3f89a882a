package dev.daybreak.outbox;

import static dev.daybreak.platform.sql.Columns.required;

import dev.daybreak.outbox.Attempt.Failed;
import dev.daybreak.outbox.Attempt.Published;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/** The rows of {@code outbox_event} as the relay, the pruner and the admin see them. */
final class Events {

    private static final String RELAY = """
            SELECT partition, seq, id, aggregatetype, aggregateid, type, payload, created_at, attempts
            FROM relay_events(:published, :failed, :attempts, :errors, :partitions, :batch, :now, :maxAttempts, :backoff)
            """;

    private static final String BACKLOG = "SELECT waiting, oldest, dead FROM outbox_backlog()";

    private static final String PRUNE = "SELECT prune_outbox(:after, :before, :batch)";

    private static final String BURY = """
            UPDATE outbox_event SET dead_at = :now, last_error = :error, attempts = attempts + :attempts
            WHERE seq = :seq AND id = :id AND dead_at IS NULL
            """;

    private static final String DEAD = """
            SELECT seq, id, aggregatetype, aggregateid, type, payload::text, created_at, attempts, last_error, dead_at
            FROM outbox_event WHERE dead_at IS NOT NULL AND seq > :after ORDER BY seq LIMIT :limit
            """;

    private static final String REPLAY = """
            UPDATE outbox_event SET dead_at = NULL, published_at = NULL, next_attempt_at = NULL, attempts = 0
            WHERE seq = :seq AND dead_at IS NOT NULL
            """;

    private final OutboxDatabase connections;
    private final DatabaseClient database;
    private final Clock clock;
    private final OutboxSettings settings;

    Events(OutboxDatabase connections, Clock clock, OutboxSettings settings) {
        this.connections = connections;
        this.database = connections.client();
        this.clock = clock;
        this.settings = settings;
    }

    /** @param oldest when the first event that waits was written; null if none waits */
    record Backlog(long waiting, @Nullable Instant oldest, long dead) {}

    record DeadLetter(
            OutboxEvent event, int attempts, @Nullable String error, Instant deadAt) {}

    /** Notes what was tried, and emits what is due, so much of each of these partitions at most. Noting it again changes nothing. */
    Mono<List<Due>> relay(List<Attempt> tried, Collection<Integer> partitions, int portion) {
        List<Failed> failed = only(Failed.class, tried);
        return connections.insist(database.sql(RELAY)
                .bind("published", sequences(only(Published.class, tried)))
                .bind("failed", sequences(failed))
                .bind(
                        "attempts",
                        failed.stream().map(attempt -> attempt.due().attempts()).toArray(Integer[]::new))
                .bind("errors", failed.stream().map(Failed::error).toArray(String[]::new))
                .bind("partitions", partitions.toArray(Integer[]::new))
                .bind("batch", portion)
                .bind("now", now())
                .bind("maxAttempts", settings.maxAttempts())
                .bind("backoff", settings.backoff().toMillis() / 1000.0)
                .map(row -> new Due(
                        required(row, "partition", Integer.class),
                        event(row),
                        required(row, "attempts", Integer.class)))
                .all()
                .collectList());
    }

    Mono<Backlog> backlog() {
        return connections.insist(database.sql(BACKLOG)
                .map(row -> new Backlog(
                        required(row, "waiting", Long.class),
                        row.get("oldest", Instant.class),
                        required(row, "dead", Long.class)))
                .one());
    }

    /** Removes what was published before then among the next events; emits the last it looked at, empty at the end. */
    Mono<Long> prune(long after, Instant before, int batch) {
        return database.sql(PRUNE)
                .bind("after", after)
                .bind("before", before.truncatedTo(ChronoUnit.MICROS))
                .bind("batch", batch)
                .map(row -> Optional.ofNullable(row.get(0, Long.class)))
                .one()
                .flatMap(Mono::justOrEmpty);
    }

    /** For an event that was published, and that a consumer cannot take. */
    Mono<Void> bury(OutboxEvent event, int attempts, String error) {
        return database.sql(BURY)
                .bind("now", now())
                .bind("error", error)
                .bind("attempts", attempts)
                .bind("seq", event.sequence())
                .bind("id", event.id())
                .then();
    }

    /** Dead letters by sequence. */
    Mono<List<DeadLetter>> dead(long after, int limit) {
        return database.sql(DEAD)
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> new DeadLetter(
                        event(row),
                        required(row, "attempts", Integer.class),
                        row.get("last_error", String.class),
                        required(row, "dead_at", Instant.class)))
                .all()
                .collectList();
    }

    /** Lets a dead letter be delivered again, in the transaction that {@code through} is in; emits whether there was one. */
    Mono<Boolean> replay(DatabaseClient through, long sequence) {
        return through.sql(REPLAY).bind("seq", sequence).fetch().rowsUpdated().map(rows -> rows > 0);
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    private static OutboxEvent event(Readable row) {
        return new OutboxEvent(
                required(row, "id", UUID.class),
                required(row, "seq", Long.class),
                required(row, "aggregatetype", String.class),
                required(row, "aggregateid", String.class),
                required(row, "type", String.class),
                required(row, "payload", String.class),
                required(row, "created_at", Instant.class));
    }

    private static <A extends Attempt> List<A> only(Class<A> type, List<Attempt> tried) {
        return tried.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static Long[] sequences(List<? extends Attempt> attempts) {
        return attempts.stream()
                .map(attempt -> attempt.due().event().sequence())
                .toArray(Long[]::new);
    }
}
