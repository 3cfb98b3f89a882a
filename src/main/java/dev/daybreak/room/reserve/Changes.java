package dev.daybreak.room.reserve;

import dev.daybreak.room.ReservationChanged;
import dev.daybreak.room.TimeRange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/** Tells the rest of the process which times of a room a committed change concerns. */
final class Changes {

    private static final Logger LOG = LoggerFactory.getLogger(Changes.class);

    private final ApplicationEventPublisher events;

    Changes(ApplicationEventPublisher events) {
        this.events = events;
    }

    /** Tells of a cancellation, if there was one. */
    void announce(Ledger.CancelVerdict verdict) {
        if (verdict.roomId() != null && verdict.range() != null) {
            announce(verdict.roomId(), verdict.range());
        }
    }

    /** The change is committed: a listener that fails must not make it look as if it were not. */
    void announce(long roomId, TimeRange range) {
        try {
            events.publishEvent(new ReservationChanged(roomId, range));
        } catch (RuntimeException e) {
            LOG.error("A listener failed on a change of room {}", roomId, e);
        }
    }
}
