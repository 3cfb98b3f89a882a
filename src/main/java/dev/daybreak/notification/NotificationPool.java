package dev.daybreak.notification;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import java.time.Duration;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * A few connections for messages alone: a rush of bookings leaves them the means to go on, and a backlog of messages takes none
 * from the bookings.
 */
final class NotificationPool implements AutoCloseable {

    private static final int CONNECTIONS = 3;

    private final ConnectionPool pool;

    NotificationPool(ConnectionPool main) {
        this.pool = new ConnectionPool(ConnectionPoolConfiguration.builder(main.unwrap())
                .initialSize(0)
                .maxSize(CONNECTIONS)
                .maxIdleTime(Duration.ofMinutes(5))
                .maxAcquireTime(Duration.ofSeconds(10))
                .maxCreateConnectionTime(Duration.ofSeconds(3))
                .acquireRetry(0)
                .build());
    }

    DatabaseClient database() {
        return DatabaseClient.create(pool);
    }

    @Override
    public void close() {
        pool.dispose();
    }
}
