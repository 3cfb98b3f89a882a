package dev.daybreak.booking;

import dev.daybreak.schedule.Slot;
import dev.daybreak.schedule.SlotChanged;
import java.util.stream.Stream;
import org.springframework.context.ApplicationEventPublisher;

/** Tells the rest of the process which slots a committed batch changed, each once. */
final class SlotChanges {

    private final ApplicationEventPublisher events;

    SlotChanges(ApplicationEventPublisher events) {
        this.events = events;
    }

    void publish(Stream<Slot> changed) {
        changed.distinct().forEach(slot -> events.publishEvent(new SlotChanged(slot)));
    }
}
