package dev.daybreak.booking;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How bookings are gathered.
 *
 * @param lanes batches in flight; each takes a connection while it runs. More than the cores of the database gain nothing
 * @param size requests in a batch at most
 * @param queueCapacity requests that may wait; the next is answered 503 at once
 */
@ConfigurationProperties("daybreak.booking.batch")
record BatchSettings(
        @DefaultValue("2") int lanes,
        @DefaultValue("128") int size,
        @DefaultValue("4096") int queueCapacity) {

    BatchSettings {
        if (lanes < 1 || lanes > 64) {
            throw new IllegalArgumentException("daybreak.booking.batch.lanes must be 1 to 64, not " + lanes);
        }
        if (size < 1 || size > 1024) {
            throw new IllegalArgumentException("daybreak.booking.batch.size must be 1 to 1024, not " + size);
        }
        if (queueCapacity < 1) {
            throw new IllegalArgumentException(
                    "daybreak.booking.batch.queue-capacity must be positive, not " + queueCapacity);
        }
    }
}
