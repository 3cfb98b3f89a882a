package dev.daybreak.platform.rollout;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.env.Environment;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/**
 * Runs the hot paths against the real servers before the instance becomes ready, so that its first patients do not pay for class
 * loading, compilation and empty caches. The web server is up by then, but readiness is not, which comes when the start is over.
 */
final class WarmStart implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(WarmStart.class);

    /** As a crowd: a path that only ever had one caller is compiled for one caller. */
    private static final int AT_ONCE = 32;
    /** After so many rounds the compiler has had what it counts. */
    private static final int ROUNDS = 60_000;

    private static final Duration LAST_ANSWERS = Duration.ofSeconds(20);

    private final List<WarmUp> parts;
    private final Duration limit;
    private final Environment environment;
    private final LoopResources loops;
    private boolean running;

    WarmStart(List<WarmUp> parts, Duration limit, Environment environment, LoopResources loops) {
        this.parts = parts;
        this.limit = limit;
        this.environment = environment;
        this.loops = loops;
    }

    @Override
    public void start() {
        running = true;
        String port = environment.getProperty("local.server.port");
        if (limit.isZero() || parts.isEmpty() || port == null) {
            return;
        }
        var connections = ConnectionProvider.create("warm-up", AT_ONCE);
        try {
            long begun = System.nanoTime();
            long rounds = run(new Loopback(client(connections, Integer.parseInt(port))))
                    .toFuture()
                    .orTimeout(limit.plus(LAST_ANSWERS).toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            LOG.info("Warmed up by {} requests in {} ms", rounds, (System.nanoTime() - begun) / 1_000_000);
        } catch (RuntimeException e) {
            LOG.warn("The instance starts cold: {}", e.toString());
        } finally {
            connections.dispose();
        }
    }

    private Mono<Long> run(Loopback loopback) {
        long end = System.nanoTime() + limit.toNanos();
        return Flux.range(0, ROUNDS)
                // Begins no more, and lets what is under way end: cancelled, it would fail with nobody to tell.
                .takeWhile(round -> System.nanoTime() - end < 0)
                .flatMap(
                        round -> Mono.defer(
                                        () -> parts.get(round % parts.size()).once(loopback))
                                .then(Mono.just(round))
                                .onErrorReturn(round),
                        AT_ONCE)
                .count();
    }

    private HttpClient client(ConnectionProvider connections, int port) {
        return HttpClient.create(connections)
                .runOn(loops)
                .host(host(environment.getProperty("server.address")))
                .port(port);
    }

    private static String host(@Nullable String address) {
        return address == null || address.equals("0.0.0.0") || address.equals("::") ? "127.0.0.1" : address;
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** After the web server, before readiness. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }
}
