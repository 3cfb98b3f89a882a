package dev.daybreak.booking;

import dev.daybreak.schedule.Slot;
import dev.daybreak.schedule.SlotChanged;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/** Tells the rest of the process which slots a committed batch changed, each once. */
final class SlotChanges {

    private static final Logger LOG = LoggerFactory.getLogger(SlotChanges.class);

    private final ApplicationEventPublisher events;

    SlotChanges(ApplicationEventPublisher events) {
        this.events = events;
    }

    void seatsTaken(Stream<Slot> changed) {
        changed.distinct().forEach(slot -> publish(new SlotChanged(slot, false)));
    }

    void seatsFreed(Stream<Slot> changed) {
        changed.distinct().forEach(slot -> publish(new SlotChanged(slot, true)));
    }

    /** The change is committed: a listener that fails must not make it look as if it were not. */
    private void publish(SlotChanged event) {
        try {
            events.publishEvent(event);
        } catch (RuntimeException e) {
            LOG.error("A listener failed on a change of slot {}", event.slot().id(), e);
        }
    }
}
