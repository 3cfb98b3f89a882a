package dev.daybreak.schedule;

import dev.daybreak.platform.web.Input;
import org.jspecify.annotations.Nullable;

/** What the clinic wants changed about a slot; what is null stays. */
record SlotChange(@Nullable Integer capacity, @Nullable Boolean closed) {

    static SlotChange read(Input input) {
        Integer capacity = input.has("capacity") ? input.integer("capacity", 1, ScheduleRequest.MAX_CAPACITY) : null;
        Boolean closed = input.has("closed") ? input.flag("closed", false) : null;
        input.check(input.has("capacity") || input.has("closed"), "capacity", "any-of", "capacity, closed");
        input.complete();
        return new SlotChange(capacity, closed);
    }

    int capacityOf(Slot slot) {
        return capacity == null ? slot.capacity() : capacity;
    }

    boolean closes(Slot slot) {
        return closed == null ? slot.closed() : closed;
    }
}
