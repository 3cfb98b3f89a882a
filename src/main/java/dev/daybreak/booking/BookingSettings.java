package dev.daybreak.booking;

import dev.daybreak.platform.batch.BatchLimits;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How bookings are gathered; cancellations are gathered beside them with the same limits.
 *
 * @param lanes batches in flight; each takes a connection while it runs. More than the cores of the database gain nothing
 * @param batchSize requests in a batch at most
 * @param queueCapacity requests that may wait; the next is answered 503 at once
 * @param patience how long a lane waits after a large batch for the next to become half as large
 */
@ConfigurationProperties("daybreak.booking")
record BookingSettings(
        @DefaultValue("2") int lanes,
        @DefaultValue("256") int batchSize,
        @DefaultValue("4096") int queueCapacity,
        @DefaultValue("2ms") Duration patience) {

    BookingSettings {
        new BatchLimits(lanes, batchSize, queueCapacity, patience); // refuses what is out of range
    }

    BatchLimits limits() {
        return new BatchLimits(lanes, batchSize, queueCapacity, patience);
    }
}
