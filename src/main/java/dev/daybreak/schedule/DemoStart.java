package dev.daybreak.schedule;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Furnishes the demonstration and waits for it: the service must not open its doors before the doctors are in. */
final class DemoStart implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(DemoStart.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<DemoData> parts;
    private volatile boolean running;

    DemoStart(List<DemoData> parts) {
        this.parts = parts;
    }

    @Override
    public void start() {
        running = true;
        Flux.fromIterable(parts)
                .concatMap(DemoStart::furnish)
                .then()
                .toFuture()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    private static Mono<String> furnish(DemoData part) {
        return part.furnish()
                .doOnNext(added -> LOG.info("Added for the demonstration: {}", added))
                .doOnError(failure -> LOG.warn("A part of the demonstration could not be added", failure))
                .onErrorComplete();
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return 1; // after the pool has been warmed up, and long before the web server
    }
}
