package dev.daybreak.outbox;

import dev.daybreak.outbox.Events.Backlog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;

/** What the relay has done and what it has before it. */
final class OutboxMetrics {

    private final Clock clock;
    private final Counter published;
    private final Counter failed;
    private final Counter died;
    private volatile Backlog backlog = new Backlog(0, null, 0);
    private volatile int partitions;

    OutboxMetrics(MeterRegistry meters, Clock clock) {
        this.clock = clock;
        this.published = Counter.builder("daybreak.outbox.published")
                .description("Events this instance has carried to Kafka, or to the consumers of the process")
                .baseUnit("events")
                .register(meters);
        this.failed = Counter.builder("daybreak.outbox.failed")
                .description(
                        "Attempts to deliver an event that failed, outages of the broker or the database not counted")
                .baseUnit("attempts")
                .register(meters);
        this.died = Counter.builder("daybreak.outbox.died")
                .description("Events this instance gave up after too many attempts")
                .baseUnit("events")
                .register(meters);
        Gauge.builder("daybreak.outbox.backlog", this, metrics -> metrics.backlog.waiting())
                .description("Events that are not published yet")
                .baseUnit("events")
                .register(meters);
        Gauge.builder("daybreak.outbox.backlog.age", this, OutboxMetrics::age)
                .description("How long the first of them has waited")
                .baseUnit("seconds")
                .register(meters);
        Gauge.builder("daybreak.outbox.dead.letters", this, metrics -> metrics.backlog.dead())
                .description("Dead letters that wait for somebody to replay them")
                .baseUnit("events")
                .register(meters);
        Gauge.builder("daybreak.outbox.partitions", this, metrics -> metrics.partitions)
                .description("Partitions of the outbox, of sixteen, that this instance carries")
                .register(meters);
    }

    void published(long events) {
        published.increment(events);
    }

    void failed() {
        failed.increment();
    }

    void died() {
        died.increment();
    }

    void carries(int count) {
        partitions = count;
    }

    void waits(Backlog now) {
        backlog = now;
    }

    private double age() {
        var oldest = backlog.oldest();
        return oldest == null
                ? 0
                : Math.max(0, Duration.between(oldest, clock.instant()).toMillis() / 1000.0);
    }
}
