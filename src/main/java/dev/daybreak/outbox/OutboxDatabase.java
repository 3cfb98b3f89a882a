package dev.daybreak.outbox;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.r2dbc.ConnectionFactoryBuilder;
import org.springframework.boot.r2dbc.autoconfigure.ConnectionFactoryOptionsBuilderCustomizer;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;

/**
 * Connections of the outbox's own, with a thread of their own: however much there is to carry, it takes none from the bookings.
 * No bean of type {@code ConnectionFactory}, so that nobody gets it by accident.
 */
final class OutboxDatabase implements DisposableBean {

    // One step of the relay at a time, and the metrics or the pruning beside it. The lease has a third, outside the
    // pool.
    private static final int CONNECTIONS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration BROKEN_AFTER = Duration.ofSeconds(15);

    private final LoopResources loops = LoopResources.create("daybreak-outbox-io", 1, true);
    private final ConnectionFactory driver;
    private volatile ConnectionPool pool;

    OutboxDatabase(R2dbcConnectionDetails details, List<ConnectionFactoryOptionsBuilderCustomizer> customizers) {
        this.driver = ConnectionFactoryBuilder.withOptions(
                        details.getConnectionFactoryOptions().mutate())
                .configure(options -> customizers.forEach(customizer -> customizer.customize(options)))
                .configure(options -> options.option(PostgresqlConnectionFactoryProvider.LOOP_RESOURCES, loops))
                .build();
        this.pool = newPool();
    }

    private ConnectionPool newPool() {
        return new ConnectionPool(ConnectionPoolConfiguration.builder(driver)
                .initialSize(0)
                .maxSize(CONNECTIONS)
                .maxIdleTime(Duration.ofMinutes(1))
                .maxAcquireTime(PATIENCE)
                .maxCreateConnectionTime(PATIENCE)
                .acquireRetry(0)
                .build());
    }

    /** Makes sessions that last until somebody closes them. */
    ConnectionFactory sessions() {
        return driver;
    }

    DatabaseClient client() {
        return DatabaseClient.create(new ConnectionFactory() {
            @Override
            public Publisher<? extends Connection> create() {
                return pool.create();
            }

            @Override
            public ConnectionFactoryMetadata getMetadata() {
                return driver.getMetadata();
            }
        });
    }

    /**
     * A statement that may be given up and sent again. PostgreSQL ends what takes too long; an answer that is later still will not come,
     * as the way there is broken without anybody having noticed, and so are the other connections.
     */
    <T> Mono<T> insist(Mono<T> statement) {
        return statement.timeout(BROKEN_AFTER).onErrorResume(TimeoutException.class, broken -> {
            ConnectionPool old = pool;
            pool = newPool();
            return old.disposeLater().timeout(PATIENCE).onErrorComplete().then(Mono.error(broken));
        });
    }

    @Override
    public void destroy() {
        pool.dispose();
        loops.dispose();
    }
}
