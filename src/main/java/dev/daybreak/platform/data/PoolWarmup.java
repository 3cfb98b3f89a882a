package dev.daybreak.platform.data;

import io.r2dbc.pool.ConnectionPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;

/** Opens the pool's first connections before the web server takes requests, so that the first patients do not wait. */
final class PoolWarmup implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(PoolWarmup.class);

    private final ConnectionPool pool;
    private Disposable running = Disposables.disposed();

    PoolWarmup(ConnectionPool pool) {
        this.pool = pool;
    }

    @Override
    public void start() {
        running = pool.warmup()
                .subscribe(
                        opened -> log.debug("Opened {} database connections", opened),
                        error -> log.warn("The database pool could not be warmed up", error));
    }

    @Override
    public void stop() {
        running.dispose();
    }

    @Override
    public boolean isRunning() {
        return !running.isDisposed();
    }

    @Override
    public int getPhase() {
        return 0;
    }
}
