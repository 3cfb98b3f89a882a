package dev.daybreak.schedule;

import dev.daybreak.platform.web.Input;
import org.jspecify.annotations.Nullable;

/** What the clinic wants changed about a slot; what is null stays. */
record SlotChange(@Nullable Integer capacity, @Nullable Boolean closed) {

    static SlotChange read(Input input) {
        int capacity = input.integer("capacity", 1, ScheduleRequest.MAX_CAPACITY, 1);
        boolean closed = input.flag("closed", false);
        var change = new SlotChange(input.has("capacity") ? capacity : null, input.has("closed") ? closed : null);
        input.check(change.capacity() != null || change.closed() != null, "capacity", "any-of", "capacity, closed");
        input.complete();
        return change;
    }

    /** What the clinic can change about a slot, as it is. */
    static SlotChange stateOf(Slot slot) {
        return new SlotChange(slot.capacity(), slot.closed());
    }

    int capacityOf(Slot slot) {
        return capacity == null ? slot.capacity() : capacity;
    }

    boolean reopens() {
        return Boolean.FALSE.equals(closed);
    }
}
