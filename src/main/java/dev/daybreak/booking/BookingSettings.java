package dev.daybreak.booking;

import dev.daybreak.platform.batch.BatchLimits;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * How bookings are gathered, and moves, cancellations and changes of holds beside them with the same limits; how long seats are
 * held; what the clinic allows its patients.
 *
 * @param lanes batches in flight; each takes a connection while it runs. More than the cores of the database gain nothing
 * @param batchSize requests in a batch at most
 * @param queueCapacity requests that may wait; the next is answered 503 at once
 * @param hold how long a seat is held, from now on when the hold is extended
 * @param holdCap how long one hold can last however often it is extended
 * @param sweep how often expired holds are recorded; 0 for never, and seats come free all the same
 * @param maxActive appointments a patient may have ahead, held ones included; 0 for any number
 * @param latestCancel how long before its start a patient can cancel an appointment for the last time; null: at any time
 * @param latestMove the same for moving
 * @param overbooking whether staff may add a seat to a slot that is full
 * @param fileAfter how long after its end an appointment is {@link Filing filed}; 0 for never
 * @param calendarDomain what stands behind the @ in the identifiers of calendar entries; must never change
 */
@ConfigurationProperties("daybreak.booking")
record BookingSettings(
        @DefaultValue("2") int lanes,
        @DefaultValue("256") int batchSize,
        @DefaultValue("4096") int queueCapacity,
        @DefaultValue("5m") Duration hold,
        @DefaultValue("15m") Duration holdCap,
        @DefaultValue("1s") Duration sweep,
        @DefaultValue("0") int maxActive,
        @Nullable Duration latestCancel,
        @Nullable Duration latestMove,
        @DefaultValue("false") boolean overbooking,
        @DefaultValue("90d") Duration fileAfter,
        @DefaultValue("daybreak") String calendarDomain) {

    /** How long before its start nobody can have booked: days come up a year before at most. */
    static final Duration FURTHEST = Duration.ofDays(400);

    BookingSettings {
        Assert.isTrue(
                calendarDomain.matches("[A-Za-z0-9.-]{1,253}"),
                "daybreak.booking.calendar-domain must be a host name, not " + calendarDomain);
        new BatchLimits(lanes, batchSize, queueCapacity); // refuses what is out of range
        Assert.isTrue(hold.toMillis() >= 1, "daybreak.booking.hold must be 1ms or more");
        Assert.isTrue(holdCap.compareTo(hold) >= 0, "daybreak.booking.hold-cap must not be shorter than hold");
        Assert.isTrue(sweep.isZero() || sweep.toMillis() >= 1, "daybreak.booking.sweep must be 0, or 1ms or more");
        Assert.isTrue(
                fileAfter.isZero() || fileAfter.compareTo(Duration.ofDays(1)) >= 0,
                "daybreak.booking.file-after must be 0, or a day or more");
        Assert.isTrue(maxActive >= 0, "daybreak.booking.max-active must not be negative");
        Assert.isTrue(isLimit(latestCancel), "daybreak.booking.latest-cancel must not be negative");
        Assert.isTrue(isLimit(latestMove), "daybreak.booking.latest-move must not be negative");
    }

    /** Until when a patient may cancel what begins then; null for always. */
    @Nullable
    Instant latestCancel(Instant startAt) {
        return latestCancel == null ? null : startAt.minus(latestCancel);
    }

    /** Until when a patient may move what begins then; null for always. */
    @Nullable
    Instant latestMove(Instant startAt) {
        return latestMove == null ? null : startAt.minus(latestMove);
    }

    private static boolean isLimit(@Nullable Duration duration) {
        return duration == null || !duration.isNegative();
    }

    BatchLimits limits() {
        return new BatchLimits(lanes, batchSize, queueCapacity);
    }
}
