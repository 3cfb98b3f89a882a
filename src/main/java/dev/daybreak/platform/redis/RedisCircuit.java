package dev.daybreak.platform.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Keeps callers from waiting for a Redis that is away: after a few commands in a row that get no answer, every call fails at
 * once, until a ping from the background is answered. So an outage costs a timeout to the requests of its first moment and to
 * no later one.
 *
 * <p>Before the first ping Redis counts as away. Hence the driver, which blocks while it opens the first connection,
 * never does so on an event loop.
 */
public final class RedisCircuit implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(RedisCircuit.class);
    /** Fewer would take a pause of this process, in which several timeouts fall due at once, for an outage too often. */
    private static final int FAILURES = 4;

    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration FIRST = Duration.ofSeconds(2);

    private final ReactiveRedisConnectionFactory connections;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean closed;
    private volatile boolean connected;
    private @Nullable Disposable pings;

    RedisCircuit(ReactiveRedisConnectionFactory connections, MeterRegistry meters) {
        this.connections = connections;
        Gauge.builder("daybreak.redis.available", this, circuit -> circuit.closed ? 1 : 0)
                .description("1 while Redis answers, 0 while everything works without it")
                .register(meters);
    }

    /**
     * Emits what the command emits. Errors with {@link RedisUnavailable} at once while Redis is away, and with the command's
     * failure when it gets no answer; what Redis itself refuses is passed on and does not count as away.
     */
    public <T> Mono<T> call(Mono<T> command) {
        return Mono.defer(() -> closed
                ? command.doOnError(this::note).doOnSuccess(answer -> failures.setPlain(0))
                : Mono.error(new RedisUnavailable()));
    }

    /**
     * As {@link #call}, but tries even while Redis is thought to be away. For what others rely on, such as taking back what
     * was written: this instance may be the only one that cannot reach Redis.
     */
    public <T> Mono<T> insist(Mono<T> command) {
        return Mono.defer(() -> connected ? command.doOnError(this::note) : Mono.error(new RedisUnavailable()));
    }

    /** Whether Redis answered when it was asked last. */
    public boolean isAvailable() {
        return closed;
    }

    private void note(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException) {
                return;
            }
        }
        if (failures.incrementAndGet() >= FAILURES && closed) {
            closed = false;
            LOG.warn("Redis does not answer, going on without it: {}", failure.toString());
        }
    }

    private Mono<Boolean> ping() {
        return Mono.usingWhen(
                        Mono.fromCallable(connections::getReactiveConnection),
                        ReactiveRedisConnection::ping,
                        ReactiveRedisConnection::closeLater)
                .hasElement()
                .doOnNext(answered -> {
                    if (!closed) {
                        failures.setPlain(0);
                        connected = true;
                        closed = true;
                        LOG.info("Redis answers");
                    }
                })
                .doOnError(this::note)
                .onErrorReturn(false)
                .subscribeOn(Schedulers.boundedElastic());
    }

    @Override
    public void start() {
        Mono<Boolean> first = ping();
        pings = first.then(Mono.delay(PAUSE)).repeat().subscribe();
        waitForTheFirst();
    }

    /** A moment's patience at start: the first requests should find Redis there if it is. */
    private void waitForTheFirst() {
        long deadline = System.nanoTime() + FIRST.toNanos();
        while (!closed && System.nanoTime() < deadline) {
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        if (!closed) {
            LOG.warn("Redis does not answer, starting without it");
        }
    }

    @Override
    public void stop() {
        if (pings != null) {
            pings.dispose();
            pings = null;
        }
        closed = false;
        connected = false;
    }

    @Override
    public boolean isRunning() {
        return pings != null;
    }

    /** Before what takes requests, and after it on the way out. */
    @Override
    public int getPhase() {
        return SmartLifecycle.DEFAULT_PHASE - 10_000;
    }
}
