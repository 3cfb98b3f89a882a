package dev.daybreak.platform.server;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/**
 * The open connections. Looks through them twice a second for those that are out of time: a timer for each request would cost every
 * request, this costs a millisecond for ten thousand connections.
 */
final class Connections implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private static final Duration TICK = Duration.ofMillis(500);
    // For PostgreSQL, Redis, logs, and the files of the JVM.
    private static final long OTHER_FILES = 500;
    // When connections run short, those who wait without a request make room.
    private static final double SHORT = 0.8;
    private static final long BRIEFLY = Duration.ofSeconds(2).toNanos();

    private final Set<RequestGuard> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final Map<Ended, Counter> ended = new EnumMap<>(Ended.class);
    private final ServerSettings settings;
    private final int most;
    private @Nullable Disposable watch;

    /** Why a connection was closed by this side. */
    enum Ended {
        /** One connection too many. */
        FULL,
        /** Waited too long for a request. */
        IDLE,
        /** A request took too long to arrive. */
        SLOW,
        /** An answer was left unread. */
        STALLED,
        /** More headers, requests or content than anybody needs. */
        LARGE
    }

    Connections(ServerSettings settings, MeterRegistry meters) {
        this.settings = settings;
        this.most = within(settings.maxConnections());
        Gauge.builder("daybreak.web.connections", count, AtomicInteger::doubleValue)
                .description("Open connections of clients")
                .baseUnit("connections")
                .register(meters);
        for (Ended why : Ended.values()) {
            ended.put(
                    why,
                    Counter.builder("daybreak.web.closed")
                            .description("Connections of clients that were closed by the server's limits")
                            .baseUnit("connections")
                            .tag("reason", why.name())
                            .register(meters));
        }
    }

    ServerSettings settings() {
        return settings;
    }

    /** Takes a connection in, whether or not it may stay. */
    boolean admit(RequestGuard guard) {
        open.add(guard);
        return count.incrementAndGet() <= most;
    }

    void forget(RequestGuard guard) {
        if (open.remove(guard)) {
            count.decrementAndGet();
        }
    }

    void note(Ended why) {
        Counter counter = ended.get(why);
        if (counter != null) {
            counter.increment();
        }
    }

    private void look() {
        long now = System.nanoTime();
        long idle = settings.idleTimeout().toNanos();
        long patience = count.get() > SHORT * most ? Math.min(idle, BRIEFLY) : idle;
        for (RequestGuard guard : open) {
            try {
                guard.check(now, patience);
            } catch (RuntimeException e) {
                LOG.warn("A connection could not be looked at", e);
            }
        }
    }

    private static int within(int wanted) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            long possible = Math.max(1, system.getMaxFileDescriptorCount() - OTHER_FILES);
            if (possible < wanted) {
                LOG.info(
                        "The operating system allows {} files (ulimit -n): at most {} connections, not {}",
                        system.getMaxFileDescriptorCount(),
                        possible,
                        wanted);
                return (int) possible;
            }
        }
        return wanted;
    }

    @Override
    public void start() {
        watch = Flux.interval(TICK).onBackpressureDrop().subscribe(tick -> look());
    }

    @Override
    public void stop() {
        if (watch != null) {
            watch.dispose();
            watch = null;
        }
    }

    @Override
    public boolean isRunning() {
        return watch != null;
    }
}
