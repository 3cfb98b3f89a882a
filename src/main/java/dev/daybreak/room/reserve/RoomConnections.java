package dev.daybreak.room.reserve;

import dev.daybreak.room.RoomSettings;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import java.time.Duration;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * A few connections for the queues of rooms alone: however long one waits for a room that another instance has locked, it takes none
 * from anything else. No bean of type {@code ConnectionFactory}, so that nobody gets it by accident.
 */
final class RoomConnections implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final ConnectionPool pool;

    RoomConnections(ConnectionPool common, RoomSettings settings) {
        this.pool = new ConnectionPool(ConnectionPoolConfiguration.builder(common.unwrap())
                .initialSize(0)
                .maxSize(settings.connections())
                .maxIdleTime(Duration.ofMinutes(5))
                .maxAcquireTime(PATIENCE.compareTo(settings.longestWait()) < 0 ? PATIENCE : settings.longestWait())
                .maxCreateConnectionTime(PATIENCE)
                .acquireRetry(0)
                .build());
    }

    DatabaseClient client() {
        return DatabaseClient.create(pool);
    }

    @Override
    public void close() {
        pool.dispose();
    }
}
