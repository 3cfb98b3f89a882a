package dev.daybreak.booking;

import dev.daybreak.platform.batch.BatchFailures;
import dev.daybreak.platform.batch.Batcher;
import io.micrometer.core.instrument.MeterRegistry;
import reactor.core.publisher.Mono;

/**
 * Extends, releases and confirms holds, in batches. They are made by {@link Booking#book}, which ranks them with bookings of the
 * same slot. As there: cold, writes go on when the subscriber leaves, and may be repeated.
 */
final class Holds {

    private final Batcher<HoldChange, HoldOutcome> changes;

    Holds(HoldBatch batch, BookingSettings settings) {
        this.changes = new Batcher<>(
                settings.limits(), BatchFailures.RETRY_THEN_ONE_BY_ONE, HoldChange::holdId, batch::change);
    }

    Holds measuredBy(MeterRegistry meters) {
        changes.measuredBy(meters, "hold-changes");
        return this;
    }

    Mono<HoldOutcome> change(HoldChange change) {
        return changes.submit(change);
    }

    /** Changes without an answer from the database yet. */
    int waiting() {
        return changes.waiting();
    }
}
