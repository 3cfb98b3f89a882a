package dev.daybreak.platform.rollout;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.scheduler.Schedulers;

/**
 * The first to stop. Readiness has gone down by then; while load balancers take notice of it, requests are served as ever, each with word
 * to use another connection next time.
 */
public final class Draining implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Draining.class);

    private final Duration time;
    private volatile boolean running;
    private volatile boolean begun;

    Draining(Duration time) {
        this.time = time;
    }

    /** Whether this instance is about to stop. */
    public boolean hasBegun() {
        return begun;
    }

    @Override
    public void start() {
        begun = false;
        running = true;
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public void stop(Runnable stopped) {
        begun = true;
        running = false;
        if (time.isZero()) {
            stopped.run();
            return;
        }
        LOG.info("Not ready any more, stopping in {} ms", time.toMillis());
        Schedulers.parallel().schedule(stopped, time.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
