package dev.daybreak.outbox;

import dev.daybreak.platform.time.Recurring;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import reactor.core.publisher.Mono;

/** Removes events some time after they were published, a few at a time. Dead letters stay. */
final class OutboxPruner extends Recurring {

    private static final int BATCH = 1000;

    private final Events events;
    private final Clock clock;
    private final Duration retention;

    OutboxPruner(Events events, Clock clock, OutboxSettings settings) {
        super(
                "Removing old events",
                settings.pruneInterval(),
                settings.relay() ? settings.pruneInterval() : Duration.ZERO);
        this.events = events;
        this.clock = clock;
        this.retention = settings.retention();
    }

    /** Removes all whose time is over. Safe to run at any time and anywhere. */
    Mono<Void> prune() {
        return Mono.defer(() -> {
            Instant before = clock.instant().minus(retention);
            return events.prune(0, before, BATCH)
                    .expand(last -> events.prune(last, before, BATCH))
                    .then();
        });
    }

    @Override
    protected Mono<?> work() {
        return prune();
    }
}
