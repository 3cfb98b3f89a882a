package dev.daybreak.platform.data;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.context.SmartLifecycle;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Asks PostgreSQL over a connection of its own: in a rush the pool is busy, which is no reason to take the instance out of service. At
 * most one question a second, whoever asks how often, since the address is public. A database that does not answer is DOWN after
 * {@link #PATIENCE} twice, the connection kept and a new one.
 */
final class DatabaseHealth implements ReactiveHealthIndicator, SmartLifecycle {

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final ConnectionFactory driver;
    private final AtomicReference<@Nullable Connection> kept = new AtomicReference<>();
    private final Mono<Health> answer;
    private volatile boolean running;

    DatabaseHealth(ConnectionFactory driver) {
        this.driver = driver;
        // Shared and kept for a moment, so a client that leaves cancels nothing.
        this.answer = Mono.defer(this::ask).cache(FRESH);
    }

    @Override
    public Mono<Health> health() {
        return answer;
    }

    private Mono<Health> ask() {
        return Mono.defer(this::askOnce)
                .retry(1)
                .thenReturn(Health.up().build())
                .onErrorResume(failure -> Mono.just(Health.down().build()));
    }

    private Mono<Void> askOnce() {
        return connection()
                .timeout(PATIENCE)
                .flatMap(connection -> Flux.from(
                                connection.createStatement("SELECT 1").execute())
                        .flatMap(result -> result.map((row, metadata) -> 1))
                        .then()
                        .timeout(PATIENCE)
                        .doOnSuccess(answered -> keep(connection))
                        .onErrorResume(failure -> drop(connection).then(Mono.error(failure))));
    }

    /** Nobody else has it meanwhile. */
    private Mono<Connection> connection() {
        Connection idle = kept.getAndSet(null);
        return idle == null ? Mono.from(driver.create()) : Mono.just(idle);
    }

    private void keep(Connection connection) {
        kept.set(connection);
    }

    private static Mono<Void> drop(Connection connection) {
        return Mono.from(connection.close()).timeout(PATIENCE).onErrorComplete();
    }

    @Override
    public void start() {
        running = true;
    }

    /** What is asked while the instance stops may leave a connection behind, for the process to take along. */
    @Override
    public void stop() {
        running = false;
        Connection last = kept.getAndSet(null);
        if (last != null) {
            drop(last).subscribe();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** After the web server on the way out. */
    @Override
    public int getPhase() {
        return 0;
    }
}
