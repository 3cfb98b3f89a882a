package dev.daybreak.availability.feed;

import dev.daybreak.availability.day.DoctorDay;
import dev.daybreak.availability.day.SlotChangedElsewhere;
import dev.daybreak.availability.day.SlotJson;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.schedule.Doctors;
import dev.daybreak.schedule.Slot;
import dev.daybreak.schedule.SlotChanged;
import dev.daybreak.schedule.Slots;
import dev.daybreak.schedule.SlotsPublished;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
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
import org.springframework.context.event.EventListener;
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
 * Days as streams of events. A day is watched once, whatever the number of its clients, and only while it has any.
 *
 * <p>What changes here is sent at once, what changes elsewhere when its message arrives, and what was missed, or came without
 * a message, when the watched days are compared with the database. One thread encodes and hands out; the connections'
 * own threads write.
 */
public final class LiveFeed implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(LiveFeed.class);

    private static final Duration SOON = Duration.ofSeconds(5);
    private static final long TICK_MILLIS = 100;
    private static final int CHECKED_AT_ONCE = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    // Everybody reconnects at once after a restart: they wait for each other, and leave connections to those who book.
    private static final int LOADS_AT_ONCE = 8;

    private static final long FAREWELL_TICKS = 20;

    private final Map<Long, Map<DoctorDay, WatchedDay>> watched = new ConcurrentHashMap<>();
    private final AtomicInteger subscribers = new AtomicInteger();
    private final AtomicInteger days = new AtomicInteger();
    private volatile Sinks.Many<WatchedDay> loads = newLoads();
    private final Slots slots;
    private final Doctors doctors;
    private final SlotJson json;
    private final Clock clock;
    private final FeedSettings settings;
    private volatile Scheduler scheduler = newThread();
    private volatile Disposable.Composite running = Disposables.composite();
    private final Counter sent;
    private final Counter dropped;
    private final Timer lag;
    private volatile boolean started;
    private volatile boolean closing;
    private boolean checkFails;

    LiveFeed(Slots slots, Doctors doctors, SlotJson json, Clock clock, FeedSettings settings, MeterRegistry meters) {
        this.slots = slots;
        this.doctors = doctors;
        this.json = json;
        this.clock = clock;
        this.settings = settings;
        this.sent = counter(meters, "sent");
        this.dropped = counter(meters, "dropped");
        this.lag = Timer.builder("daybreak.feed.lag")
                .description("From the commit of a change, or the news of it, to its event on the way to every client")
                .register(meters);
        Gauge.builder("daybreak.feed.subscribers", subscribers, AtomicInteger::get)
                .description("Open streams")
                .baseUnit("streams")
                .register(meters);
        Gauge.builder("daybreak.feed.days", days, AtomicInteger::get)
                .description("Days that somebody watches")
                .baseUnit("days")
                .register(meters);
    }

    private static Sinks.Many<WatchedDay> newLoads() {
        return Sinks.many().unicast().onBackpressureBuffer();
    }

    private static Scheduler newThread() {
        return Schedulers.newSingle("live-feed", true);
    }

    private static Counter counter(MeterRegistry meters, String result) {
        return Counter.builder("daybreak.feed.events")
                .description("Events sent to clients, or dropped in favour of a snapshot for those too slow")
                .baseUnit("events")
                .tag("result", result)
                .register(meters);
    }

    /**
     * Answers with the stream of the day: all its slots at once, then those that change, until the client leaves or this
     * instance ends. If it cannot, writing the response errors before anything is written: with a {@link Refusal},
     * DOCTOR_NOT_FOUND, or BUSY at the limit of subscribers and while shutting down; and with the database's failure.
     */
    public ServerResponse stream(DoctorDay day) {
        return new FeedAnswer(this, day);
    }

    /** Counts the client in; every client has to {@link #leave}, once or more often. */
    FeedClient join(DoctorDay day, ServerHttpResponse response) {
        if (closing) {
            throw busy();
        }
        if (subscribers.incrementAndGet() > settings.maxSubscribers()) {
            subscribers.decrementAndGet();
            throw busy();
        }
        var created = new ArrayList<WatchedDay>(1);
        var joined = new ArrayList<FeedClient>(1);
        watched.compute(day.doctorId(), (doctor, others) -> {
            WatchedDay known = others == null ? null : others.get(day);
            WatchedDay of = known == null ? new WatchedDay(day, json, clock) : known;
            var client = new FeedClient(of, response, settings.retry(), sent, dropped);
            of.add(client);
            joined.add(client);
            if (others != null && known != null) {
                return others;
            }
            created.add(of);
            Map<DoctorDay, WatchedDay> more = others == null ? new HashMap<>() : new HashMap<>(others);
            more.put(day, of);
            return more;
        });
        created.forEach(this::open);
        FeedClient client = joined.getFirst();
        if (closing) {
            // It came while the others were being sent away.
            end(client.day());
        }
        return client;
    }

    private static Refusal busy() {
        return new Refusal(Problem.of(ProblemCode.BUSY).retryAfter(SOON));
    }

    void leave(FeedClient client) {
        if (!client.leaves()) {
            return;
        }
        subscribers.decrementAndGet();
        WatchedDay of = client.day();
        watched.computeIfPresent(of.day().doctorId(), (doctor, all) -> {
            if (!of.remove(client)) {
                return all;
            }
            Map<DoctorDay, WatchedDay> fewer = new HashMap<>(all);
            if (fewer.remove(of.day(), of)) {
                days.decrementAndGet();
            }
            return fewer.isEmpty() ? null : fewer;
        });
    }

    private void open(WatchedDay day) {
        days.incrementAndGet();
        loads.emitNext(day, EmitFailureHandler.busyLooping(PATIENCE));
    }

    private Mono<Void> load(WatchedDay of) {
        DoctorDay day = of.day();
        return slots.between(day.doctorId(), day.from(), day.to())
                .flatMap(found -> doctors.requireKnown(day.doctorId(), found))
                .doOnNext(of::load)
                .then()
                .onErrorResume(failure -> {
                    of.fail(failure);
                    return Mono.empty();
                });
    }

    @EventListener
    void on(SlotChanged changed) {
        apply(changed.slot());
    }

    @EventListener
    void on(SlotChangedElsewhere changed) {
        apply(changed.slot());
    }

    /** The event names no slots: the days they may belong to are compared at once. */
    @EventListener
    void on(SlotsPublished published) {
        Map<DoctorDay, WatchedDay> of = watched.get(published.doctorId());
        if (of != null && !closing) {
            running.add(check(List.copyOf(of.values())).subscribe());
        }
    }

    private void apply(Slot slot) {
        Map<DoctorDay, WatchedDay> of = watched.get(slot.doctorId());
        if (of == null) {
            return;
        }
        for (WatchedDay day : of.values()) {
            if (day.apply(slot)) {
                schedule(day);
            }
        }
    }

    private void schedule(WatchedDay day) {
        if (!scheduler.isDisposed()) {
            scheduler.schedule(
                    () -> day.flush(waited -> lag.record(waited, TimeUnit.NANOSECONDS)),
                    day.pause(settings.merge().toNanos()),
                    TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void start() {
        if (closing) { // a pause, not the end
            scheduler = newThread();
            running = Disposables.composite();
            loads = newLoads();
            closing = false;
        }
        running.add(scheduler.schedulePeriodically(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS));
        running.add(loads.asFlux().flatMap(this::load, LOADS_AT_ONCE).subscribe());
        running.add(Flux.interval(settings.check(), scheduler)
                .onBackpressureDrop()
                .concatMap(tick -> check(watchedDays()), 1)
                .subscribe());
        started = true;
    }

    private void tick() {
        long now = System.nanoTime();
        var time = clock.instant();
        long stall = settings.stall().toNanos();
        // A little early, as ticks come a little late.
        long heartbeat = settings.heartbeat().toNanos() - 2 * TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
        forEachDay(day -> {
            if (day.isReady() && day.turn(time)) {
                schedule(day);
            }
            for (FeedClient client : day.clients()) {
                if (client.isGone()) {
                    leave(client);
                } else if (client.isStalled(now, stall)) {
                    client.close();
                } else {
                    client.beat(now, Math.max(heartbeat, 1));
                }
            }
        });
    }

    private void forEachDay(Consumer<WatchedDay> action) {
        watched.values().forEach(of -> of.values().forEach(action));
    }

    private List<WatchedDay> watchedDays() {
        List<WatchedDay> all = new ArrayList<>(days.get());
        forEachDay(all::add);
        return all;
    }

    /** Reads what is newer in the database, in one statement for up to 500 days. */
    private Mono<Void> check(List<WatchedDay> of) {
        return Flux.fromIterable(of)
                .filter(WatchedDay::isReady)
                .map(WatchedDay::seen)
                .buffer(CHECKED_AT_ONCE)
                .concatMap(slots::changedSince)
                .doOnNext(this::apply)
                .then()
                .doOnSuccess(done -> checkFails = false)
                .onErrorResume(this::unchecked);
    }

    private Mono<Void> unchecked(Throwable failure) {
        if (!checkFails) {
            checkFails = true;
            LOG.warn("The watched days cannot be compared with the database: {}", failure.toString());
        }
        return Mono.empty();
    }

    int subscribers() {
        return subscribers.get();
    }

    int days() {
        return days.get();
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    /** Ends every stream, and waits up to two seconds for their last words to leave. */
    @Override
    public void stop(Runnable stopped) {
        closing = true;
        running.dispose();
        forEachDay(LiveFeed::end);
        farewell(FAREWELL_TICKS, stopped);
    }

    private static void end(WatchedDay day) {
        day.fail(busy());
        day.clients().forEach(FeedClient::end);
    }

    private void farewell(long ticks, Runnable stopped) {
        if (subscribers.get() > 0 && ticks > 0) {
            scheduler.schedule(() -> farewell(ticks - 1, stopped), TICK_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        forEachDay(day -> day.clients().forEach(FeedClient::close));
        started = false;
        scheduler.dispose();
        stopped.run();
    }

    @Override
    public boolean isRunning() {
        return started;
    }

    /** Once load balancers lead clients elsewhere, and before the web server waits for its requests to end: streams would not. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 512;
    }
}
