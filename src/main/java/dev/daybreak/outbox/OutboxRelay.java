package dev.daybreak.outbox;

import dev.daybreak.outbox.Attempt.Postponed;
import dev.daybreak.outbox.Attempt.Published;
import dev.daybreak.schedule.SlotChanged;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Carries events from the table to their destination. Each partition of the {@link Lease} goes through the same circle: its next events
 * are read, delivered, and marked by the statement that reads the next ones. One such statement at a time serves every
 * partition that is ready for it, while the others deliver.
 *
 * <p>What was delivered and not marked, because the process or the connection died in between, is delivered again. Nothing is
 * kept between two starts.
 *
 * <p>Everything that changes runs on one thread of the relay's own. It begins soon after a booking of this instance has been committed, and
 * looks by itself for what others have committed. Messages can wait for a rush to pass, patients cannot: see {@link RushPause}.
 */
final class OutboxRelay implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);

    // One statement for what gathers, instead of one for every batch of bookings.
    private static final Duration GATHER = Duration.ofMillis(20);
    // While there is something to do, there is likely to be more that nobody tells of.
    private static final Duration BUSY_POLL = Duration.ofMillis(200);
    private static final long BUSY_FOR = TimeUnit.SECONDS.toNanos(3);
    private static final Duration RENEW = Duration.ofSeconds(1);
    private static final Duration COUNT = Duration.ofSeconds(5);
    private static final Duration OUTAGE_PAUSE = Duration.ofSeconds(1);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);
    private static final long WARNING_PAUSE = TimeUnit.SECONDS.toNanos(10);

    private final Events events;
    private final Lease lease;
    private final Deliveries deliveries;
    private final OutboxSettings settings;
    private final OutboxMetrics metrics;
    private final Clock clock;
    private final RushPause pause;

    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile @Nullable Scheduler thread;
    private volatile boolean running;

    // From here on only the thread.
    private final Set<Integer> carried = new HashSet<>();
    private final Set<Integer> delivering = new HashSet<>();
    private final List<Attempt> tried = new ArrayList<>();
    private List<Integer> asked = List.of(); // by the step that is under way
    private Disposable rounds = Disposables.disposed();
    private boolean stepping;
    private boolean again;
    private boolean hurry;
    private boolean stopping;
    private @Nullable Runnable stopped;
    private long busyUntil;
    private long quietUntil;

    OutboxRelay(
            Events events,
            Lease lease,
            Deliveries deliveries,
            OutboxSettings settings,
            OutboxMetrics metrics,
            Clock clock) {
        this.events = events;
        this.lease = lease;
        this.deliveries = deliveries;
        this.settings = settings;
        this.metrics = metrics;
        this.clock = clock;
        this.pause = new RushPause(settings.patience(), System::nanoTime);
    }

    @EventListener
    void on(SlotChanged changed) {
        if (running) {
            pause.booked();
            wake();
        }
    }

    private void wake() {
        wakeIn(GATHER.toNanos());
    }

    private void wakeIn(long nanos) {
        Scheduler at = thread;
        if (at != null && !at.isDisposed() && woken.compareAndSet(false, true)) {
            at.schedule(this::step, nanos, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void start() {
        if (running || !settings.relay()) {
            return;
        }
        running = true;
        Scheduler own = Schedulers.newSingle("daybreak-outbox", true);
        thread = own;
        own.schedule(() -> {
            stopping = false;
            busyUntil = System.nanoTime();
            quietUntil = busyUntil;
            rounds = Disposables.composite(
                    again(own, RENEW, Mono.defer(this::renew)),
                    again(own, COUNT, Mono.defer(this::count)),
                    Mono.defer(() -> Mono.delay(polling(), own))
                            .doOnNext(tick -> step())
                            .repeat()
                            .subscribe());
        });
    }

    private Disposable again(Scheduler own, Duration pause, Mono<?> work) {
        return work.subscribeOn(own)
                .onErrorComplete()
                .repeatWhen(ends -> ends.concatMap(end -> Mono.delay(pause, own)))
                .subscribe();
    }

    private Duration polling() {
        return System.nanoTime() - busyUntil < 0 && settings.poll().compareTo(BUSY_POLL) > 0
                ? BUSY_POLL
                : settings.poll();
    }

    private Mono<?> renew() {
        Set<Integer> busy = new HashSet<>(delivering);
        busy.addAll(asked);
        tried.forEach(attempt -> busy.add(attempt.due().partition()));
        return lease.renew(busy)
                .publishOn(own())
                .doOnNext(this::carry)
                .doOnError(failure -> own().schedule(() -> {
                    carry(List.of());
                    warn(
                            "The outbox has lost its partitions and takes them again when the database answers: {}",
                            failure);
                }));
    }

    private void carry(List<Integer> partitions) {
        if (carried.size() != partitions.size() || !carried.containsAll(partitions)) {
            LOG.debug("Carries {} partitions of the outbox: {}", partitions.size(), partitions);
            carried.clear();
            carried.addAll(partitions);
            metrics.carries(partitions.size());
            step();
        }
    }

    private Mono<?> count() {
        return events.backlog().doOnNext(metrics::waits);
    }

    /** Marks what has been tried, and begins to deliver what is due in the partitions that have nothing on its way. */
    private void step() {
        woken.set(false);
        if (stepping) {
            again = true;
            return;
        }
        List<Integer> ready = stopping
                ? List.of()
                : carried.stream()
                        .filter(partition -> !delivering.contains(partition))
                        .toList();
        if (ready.isEmpty() && tried.isEmpty()) {
            endIfDone();
            return;
        }
        long rest = stopping ? 0 : pause.remaining();
        if (rest > 0) {
            wakeIn(rest);
            return;
        }
        pause.begin();
        stepping = true;
        int portion = pause.portion(settings.batch());
        asked = ready;
        again = false;
        hurry = false;
        List<Attempt> noting = List.copyOf(tried);
        events.relay(noting, ready, portion).publishOn(own()).subscribe(due -> noted(noting, due, portion), failure -> {
            stepping = false; // what was tried is noted by the next step
            asked = List.of();
            warn("The outbox cannot be read, its events wait: {}", failure);
            endIfDone();
        });
    }

    private void noted(List<Attempt> noted, List<Due> due, int portion) {
        pause.read(waited(due));
        stepping = false;
        asked = List.of();
        tried.subList(0, noted.size()).clear();
        metrics.published(noted.stream().filter(Published.class::isInstance).count());
        if (!due.isEmpty()) {
            busyUntil = System.nanoTime() + BUSY_FOR;
        }
        Map<Integer, List<Due>> partitions = due.stream().collect(Collectors.groupingBy(Due::partition));
        partitions.forEach((partition, some) -> deliver(partition, some, some.size() == portion));
        if (hurry || stopping) {
            step();
        } else if (again || !tried.isEmpty()) {
            wake();
        }
    }

    private Duration waited(List<Due> due) {
        Instant now = clock.instant();
        return due.stream()
                .map(one -> Duration.between(one.event().createdAt(), now))
                .filter(Duration::isPositive)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private void deliver(int partition, List<Due> due, boolean more) {
        delivering.add(partition);
        deliveries
                .attempt(due)
                .publishOn(own())
                .subscribe(
                        attempts -> delivered(partition, more, attempts),
                        failure -> LOG.debug("Something was delivered after the end", failure));
    }

    private void delivered(int partition, boolean more, List<Attempt> attempts) {
        pause.worked();
        attempts.stream().filter(attempt -> !(attempt instanceof Postponed)).forEach(tried::add);
        Postponed outage = attempts.stream()
                .filter(Postponed.class::isInstance)
                .map(Postponed.class::cast)
                .findFirst()
                .orElse(null);
        if (outage == null) {
            delivering.remove(partition);
            if (more || stopping) {
                hurry = true;
                step();
            } else {
                wake();
            }
            return;
        }
        warn("Events cannot be delivered and wait: {}", outage.why());
        wake();
        own().schedule(
                        () -> {
                            delivering.remove(partition);
                            step();
                        },
                        stopping ? 0 : OUTAGE_PAUSE.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private void warn(String message, @Nullable Throwable failure) {
        long now = System.nanoTime();
        if (now - quietUntil >= 0) {
            quietUntil = now + WARNING_PAUSE;
            LOG.warn(message, String.valueOf(failure));
        }
    }

    private Scheduler own() {
        return Objects.requireNonNull(thread);
    }

    /** Lets what is on its way arrive and notes it, for a few seconds at most, and then gives the partitions to others. */
    @Override
    public void stop(Runnable callback) {
        if (!running) {
            callback.run();
            return;
        }
        running = false;
        own().schedule(() -> {
            stopping = true;
            stopped = callback;
            rounds.dispose();
            own().schedule(this::end, STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            step(); // which may be the end, and that of the thread
        });
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    private void endIfDone() {
        if (stopping && !stepping && delivering.isEmpty() && tried.isEmpty()) {
            end();
        }
    }

    private void end() {
        Runnable callback = stopped;
        if (callback == null) {
            return;
        }
        stopped = null;
        carried.clear();
        delivering.clear();
        tried.clear();
        metrics.carries(0);
        lease.giveUp()
                .doFinally(signal -> {
                    own().dispose();
                    callback.run();
                })
                .subscribe();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
