package dev.daybreak.outbox;

import static dev.daybreak.platform.sql.Columns.required;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Row;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The partitions this instance carries, each by one instance at a time. They are advisory locks of a session, so PostgreSQL gives them
 * up by itself when the instance or the way to it is gone. Two instances may still carry the same partition for a moment, the one not
 * knowing yet that it has lost it: an event may arrive twice then, but for the first time never before an earlier one.
 *
 * <p>Not for several callers at a time.
 */
final class Lease {

    // How soon PostgreSQL notices that the other side has vanished, and ends the session: 5 s and three times 2 s more.
    private static final String NOTICE_SOON = """
            SELECT set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false),
                   set_config('tcp_keepalives_count', '3', false), set_config('application_name', 'daybreak-outbox', false)
            """;

    private static final String LEASE = "SELECT partition, own FROM lease_outbox($1)";

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ConnectionFactory sessions;
    private volatile @Nullable Connection session;
    private volatile List<Integer> leaving = List.of(); // told not to carry them any more

    Lease(ConnectionFactory sessions) {
        this.sessions = sessions;
    }

    private record Held(int partition, boolean own) {}

    /**
     * Keeps what this instance has, and takes or gives up some to have its share. Emits the partitions to carry from now on; after an
     * error it has none.
     *
     * @param busy those with events on their way or not noted yet, which are not given to others meanwhile
     */
    Mono<List<Integer>> renew(Collection<Integer> busy) {
        Integer[] leave =
                leaving.stream().filter(partition -> !busy.contains(partition)).toArray(Integer[]::new);
        return Mono.defer(this::session)
                .flatMapMany(open -> Flux.from(
                                open.createStatement(LEASE).bind("$1", leave).execute())
                        .concatMap(result -> result.map((row, metadata) -> held(row))))
                .collectList()
                .timeout(PATIENCE)
                .map(held -> {
                    leaving = partitions(held, false);
                    return partitions(held, true);
                })
                .onErrorResume(failure -> giveUp().then(Mono.error(failure)));
    }

    /** Gives everything up. */
    Mono<Void> giveUp() {
        return Mono.defer(() -> {
            Connection closing = session;
            session = null;
            leaving = List.of();
            return closing == null
                    ? Mono.empty()
                    : Mono.from(closing.close()).timeout(PATIENCE).onErrorComplete();
        });
    }

    private Mono<Connection> session() {
        Connection open = session;
        return open != null
                ? Mono.just(open)
                : Mono.from(sessions.create()).flatMap(made -> {
                    session = made; // from here on giveUp closes it
                    return Flux.from(made.createStatement(NOTICE_SOON).execute())
                            .concatMap(result -> result.map((row, metadata) -> 1))
                            .then(Mono.just(made));
                });
    }

    private static List<Integer> partitions(List<Held> held, boolean own) {
        return held.stream()
                .filter(one -> one.own() == own)
                .map(Held::partition)
                .toList();
    }

    private static Held held(Row row) {
        return new Held(required(row, "partition", Integer.class), required(row, "own", Boolean.class));
    }
}
