package dev.daybreak.booking;

import dev.daybreak.platform.batch.BatchLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * How bookings are gathered, and until when they can be changed; moves and cancellations are gathered beside them with the
 * same limits.
 *
 * @param lanes batches in flight; each takes a connection while it runs. More than the cores of the database gain nothing
 * @param batchSize requests in a batch at most
 * @param queueCapacity requests that may wait; the next is answered 503 at once
 * @param patience how long a lane waits after a large batch for the next to become half as large
 * @param latestCancel how long before its start a patient can cancel an appointment for the last time; null: at any time
 * @param latestMove how long before its start a patient can move an appointment for the last time; null: at any time
 * @param calendarDomain what stands behind the @ in the identifiers of calendar entries; must never change
 */
@ConfigurationProperties("daybreak.booking")
record BookingSettings(
        @DefaultValue("2") int lanes,
        @DefaultValue("256") int batchSize,
        @DefaultValue("4096") int queueCapacity,
        @DefaultValue("2ms") Duration patience,
        @Nullable Duration latestCancel,
        @Nullable Duration latestMove,
        @DefaultValue("daybreak") String calendarDomain) {

    BookingSettings {
        Assert.isTrue(
                latestCancel == null || !latestCancel.isNegative(),
                "daybreak.booking.latest-cancel must not be negative");
        Assert.isTrue(
                latestMove == null || !latestMove.isNegative(), "daybreak.booking.latest-move must not be negative");
        Assert.isTrue(
                calendarDomain.matches("[A-Za-z0-9.-]{1,253}"),
                "daybreak.booking.calendar-domain must be a host name, not " + calendarDomain);
        new BatchLimits(lanes, batchSize, queueCapacity, patience); // refuses what is out of range
    }

    BatchLimits limits() {
        return new BatchLimits(lanes, batchSize, queueCapacity, patience);
    }
}
