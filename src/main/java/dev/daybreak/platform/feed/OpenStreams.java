package dev.daybreak.platform.feed;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What all feeds of an instance share: how many streams may be open, and the meters. */
public final class OpenStreams {

    private static final Duration SOON = Duration.ofSeconds(5);

    private final int most;
    private final AtomicInteger subscribers = new AtomicInteger();
    private final AtomicInteger watched = new AtomicInteger();
    private final Counter sent;
    private final Counter dropped;
    private final Timer lag;

    OpenStreams(FeedSettings settings, MeterRegistry meters) {
        this.most = settings.maxSubscribers();
        this.sent = counter(meters, "sent");
        this.dropped = counter(meters, "dropped");
        this.lag = Timer.builder("daybreak.feed.lag")
                .description("From the commit of a change, or the news of it, to its event on the way to every client")
                .register(meters);
        Gauge.builder("daybreak.feed.subscribers", subscribers, AtomicInteger::get)
                .description("Open streams")
                .baseUnit("streams")
                .register(meters);
        Gauge.builder("daybreak.feed.days", watched, AtomicInteger::get)
                .description("Days of doctors and boards that somebody watches")
                .baseUnit("days")
                .register(meters);
    }

    private static Counter counter(MeterRegistry meters, String result) {
        return Counter.builder("daybreak.feed.events")
                .description("Events sent to clients, or dropped in favour of a snapshot for those too slow")
                .baseUnit("events")
                .tag("result", result)
                .register(meters);
    }

    /** Counts a stream in. Throws the refusal if there are enough. */
    void open() {
        if (subscribers.incrementAndGet() > most) {
            subscribers.decrementAndGet();
            throw busy();
        }
    }

    void close() {
        subscribers.decrementAndGet();
    }

    static Refusal busy() {
        return new Refusal(Problem.of(ProblemCode.BUSY).retryAfter(SOON));
    }

    void watch(int more) {
        watched.addAndGet(more);
    }

    void sent(int events) {
        sent.increment(events);
    }

    void dropped(int events) {
        dropped.increment(events);
    }

    void lag(long nanos) {
        lag.record(nanos, TimeUnit.NANOSECONDS);
    }
}
