package dev.daybreak.platform.net;

import io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider;
import io.r2dbc.spi.ConnectionFactoryOptions;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.r2dbc.autoconfigure.ConnectionFactoryOptionsBuilderCustomizer;
import reactor.netty.resources.LoopResources;

/**
 * Event loops for PostgreSQL alone, one for two cores. What comes from there is the answer to a batch, and the next batch
 * waits for it; among the requests of a crowd it would be read milliseconds late.
 */
final class DatabaseLoops implements ConnectionFactoryOptionsBuilderCustomizer, DisposableBean {

    private final LoopResources loops = LoopResources.create(
            "daybreak-database", Math.max(1, Runtime.getRuntime().availableProcessors() / 2), true);

    @Override
    public void customize(ConnectionFactoryOptions.Builder options) {
        options.option(PostgresqlConnectionFactoryProvider.LOOP_RESOURCES, loops);
    }

    @Override
    public void destroy() {
        loops.dispose();
    }
}
