package dev.daybreak.platform.data;

import io.r2dbc.spi.ConnectionFactory;
import org.springframework.r2dbc.core.DatabaseClient;

/**
 * The same PostgreSQL for statements that read whole tables: each on a connection of its own, which is made for it, and with an hour to
 * finish.
 */
public final class UnhurriedDatabase {

    private final DatabaseClient client;

    UnhurriedDatabase(ConnectionFactory connections) {
        this.client = DatabaseClient.create(connections);
    }

    public DatabaseClient client() {
        return client;
    }
}
