package dev.daybreak.platform.feed;

import dev.daybreak.platform.problem.Refusal;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.EmitFailureHandler;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * What is watched, as streams of events. Each is watched once, whatever the number of its clients, and only while it has any.
 *
 * <p>What changes is sent when the subclass says so, and what was missed, or came without a message, when all that is
 * watched is compared with the database. One thread encodes and hands out; the connections' own threads write.
 *
 * @param <G> what changes concern: all that is watched of one group is found at once
 * @param <K> what is watched
 * @param <W> its state
 */
public abstract class Feed<G, K, W extends Watched<K>> implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Feed.class);

    private static final long TICK_MILLIS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    // Everybody reconnects at once after a restart: they wait for each other, and leave connections to those who book.
    private static final int LOADS_AT_ONCE = 8;

    private static final long FAREWELL_TICKS = 20;

    private final String name;
    private final int most;
    private final Map<G, Map<K, W>> watched = new ConcurrentHashMap<>();
    private final AtomicInteger subscribers = new AtomicInteger();
    private final AtomicInteger size = new AtomicInteger();
    private volatile Sinks.Many<W> loads = Sinks.many().unicast().onBackpressureBuffer();
    private volatile Sinks.Many<List<W>> checks = Sinks.many().unicast().onBackpressureBuffer();
    private final Clock clock;
    private final FeedSettings settings;
    private final OpenStreams streams;
    private volatile Scheduler scheduler;
    private volatile Disposable.Composite running = Disposables.composite();
    private volatile boolean started;
    private volatile boolean closing;
    private boolean checkFails;

    /**
     * @param name of the thread, and in the log
     * @param most how much may be watched at a time
     */
    protected Feed(String name, int most, Clock clock, FeedSettings settings, OpenStreams streams) {
        this.name = name;
        this.most = most;
        this.clock = clock;
        this.settings = settings;
        this.streams = streams;
        this.scheduler = Schedulers.newSingle(name, true);
    }

    protected abstract G group(K key);

    /** Begins to watch; knows nothing yet. */
    protected abstract W watch(K key);

    /** Reads it for the first time and tells it that it is {@linkplain Watched#loaded loaded}. Its failure is that of all who wait for it. */
    protected abstract Mono<Void> load(W of);

    /** Reads what is newer in the database of those that are ready, and takes it over. */
    protected abstract Mono<Void> check(List<W> of);

    /**
     * Answers with the stream: all of it at once, then what changes, until the client leaves or this instance ends. If it
     * cannot, writing the response errors before anything is written: with a {@link Refusal}, such as BUSY at the limit of
     * streams and while shutting down; and with the failure of loading.
     */
    public final ServerResponse stream(K key) {
        return new FeedAnswer<>(this, key);
    }

    /** Counts the client in; every client has to {@link #leave}, once or more often. */
    final FeedClient join(K key, ServerHttpResponse response) {
        if (closing || size.get() >= most && !isWatched(key)) {
            throw OpenStreams.busy();
        }
        streams.open();
        subscribers.incrementAndGet();
        var created = new ArrayList<W>(1);
        var joined = new ArrayList<FeedClient>(1);
        watched.compute(group(key), (group, others) -> {
            W known = others == null ? null : others.get(key);
            W of = known == null ? watch(key) : known;
            var client = new FeedClient(of, response, settings.retry(), streams, left -> leave(of, left));
            of.add(client);
            joined.add(client);
            if (others != null && known != null) {
                return others;
            }
            created.add(of);
            Map<K, W> more = others == null ? new HashMap<>() : new HashMap<>(others);
            more.put(key, of);
            return more;
        });
        created.forEach(this::open);
        FeedClient client = joined.getFirst();
        if (closing) {
            // It came while the others were being sent away.
            end(client.watched());
        }
        return client;
    }

    private boolean isWatched(K key) {
        Map<K, W> of = watched.get(group(key));
        return of != null && of.containsKey(key);
    }

    private void leave(W of, FeedClient client) {
        streams.close();
        subscribers.decrementAndGet();
        watched.computeIfPresent(group(of.key()), (group, all) -> {
            if (!of.remove(client)) {
                return all;
            }
            Map<K, W> fewer = new HashMap<>(all);
            if (fewer.remove(of.key(), of)) {
                size.decrementAndGet();
                streams.watch(-1);
            }
            return fewer.isEmpty() ? null : fewer;
        });
    }

    private void open(W of) {
        size.incrementAndGet();
        streams.watch(1);
        loads.emitNext(of, EmitFailureHandler.busyLooping(PATIENCE));
    }

    private Mono<Void> firstLoad(W of) {
        return load(of).onErrorResume(failure -> {
            of.fail(failure);
            return Mono.empty();
        });
    }

    /** What is watched of a group. */
    protected final Collection<W> watched(G group) {
        Map<K, W> of = watched.get(group);
        return of == null ? List.of() : of.values();
    }

    /** Sends what has changed, at the distance from the event before. To be called once for each time it becomes due. */
    protected final void schedule(W of) {
        schedule(of.pause(settings.merge().toNanos()), () -> of.flush(streams::lag));
    }

    /** Runs the task on the feed's thread after a while. */
    protected final void schedule(long nanos, Runnable task) {
        if (!scheduler.isDisposed()) {
            scheduler.schedule(task, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Compares with the database now. Returns at once. */
    protected final void checkNow(Collection<W> of) {
        if (!of.isEmpty() && !closing) {
            checks.emitNext(List.copyOf(of), EmitFailureHandler.busyLooping(PATIENCE));
        }
    }

    @Override
    public final void start() {
        if (closing) { // a pause, not the end
            scheduler = Schedulers.newSingle(name, true);
            running = Disposables.composite();
            loads = Sinks.many().unicast().onBackpressureBuffer();
            checks = Sinks.many().unicast().onBackpressureBuffer();
            closing = false;
        }
        running.add(scheduler.schedulePeriodically(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS));
        running.add(loads.asFlux().flatMap(this::firstLoad, LOADS_AT_ONCE).subscribe());
        running.add(checks.asFlux().flatMap(this::checked, LOADS_AT_ONCE).subscribe());
        running.add(Flux.interval(settings.check(), scheduler)
                .onBackpressureDrop()
                .concatMap(tick -> checked(all()), 1)
                .subscribe());
        started = true;
    }

    private void tick() {
        long now = System.nanoTime();
        var time = clock.instant();
        long stall = settings.stall().toNanos();
        // A little early, as ticks come a little late.
        long heartbeat = settings.heartbeat().toNanos() - 2 * TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
        forEach(of -> {
            if (of.isReady() && of.turnsAt(time)) {
                schedule(of);
            }
            for (FeedClient client : of.clients()) {
                if (client.isGone()) {
                    client.leave();
                } else if (client.isStalled(now, stall)) {
                    client.close();
                } else {
                    client.beat(now, Math.max(heartbeat, 1));
                }
            }
        });
    }

    private void forEach(Consumer<W> action) {
        watched.values().forEach(of -> of.values().forEach(action));
    }

    private List<W> all() {
        List<W> all = new ArrayList<>(size.get());
        forEach(all::add);
        return all;
    }

    private Mono<Void> checked(List<W> of) {
        return check(of.stream().filter(Watched::isReady).toList())
                .doOnSuccess(done -> checkFails = false)
                .onErrorResume(this::unchecked);
    }

    private Mono<Void> unchecked(Throwable failure) {
        if (!checkFails) {
            checkFails = true;
            LOG.warn("What is watched cannot be compared with the database ({}): {}", name, failure.toString());
        }
        return Mono.empty();
    }

    /** Open streams of this feed. */
    public final int subscribers() {
        return subscribers.get();
    }

    /** How much is watched. */
    public final int size() {
        return size.get();
    }

    @Override
    public final void stop() {
        stop(() -> {});
    }

    /** Ends every stream, and waits up to two seconds for their last words to leave. */
    @Override
    public final void stop(Runnable stopped) {
        closing = true;
        running.dispose();
        forEach(Feed::end);
        farewell(FAREWELL_TICKS, stopped);
    }

    private static void end(Watched<?> of) {
        of.fail(OpenStreams.busy());
        of.clients().forEach(FeedClient::end);
    }

    private void farewell(long ticks, Runnable stopped) {
        if (subscribers.get() > 0 && ticks > 0) {
            scheduler.schedule(() -> farewell(ticks - 1, stopped), TICK_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        forEach(of -> of.clients().forEach(FeedClient::close));
        started = false;
        scheduler.dispose();
        stopped.run();
    }

    @Override
    public final boolean isRunning() {
        return started;
    }

    /** Streams that were ended do not come back. */
    @Override
    public final boolean isPauseable() {
        return false;
    }

    /** Once load balancers lead clients elsewhere, and before the web server waits for its requests to end: streams would not. */
    @Override
    public final int getPhase() {
        return DEFAULT_PHASE - 512;
    }
}
