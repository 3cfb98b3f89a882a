package dev.daybreak.availability;

import dev.daybreak.schedule.Slot;
import dev.daybreak.schedule.SlotState;
import java.time.Instant;

/** A slot as everybody sees it; nothing in it tells who has a seat. */
record SlotView(
        long id,
        long doctorId,
        Instant startAt,
        Instant endAt,
        int capacity,
        int remaining,
        Instant opensAt,
        SlotState state,
        long version) {

    static final String EXAMPLE =
            """
            {"id": 1001, "doctorId": 12, "startAt": "2026-10-12T07:00:00Z", "endAt": "2026-10-12T07:15:00Z", "capacity": 10,\
             "remaining": 3, "opensAt": "2026-09-28T05:00:00Z", "state": "OPEN", "version": 17}""";

    static SlotView of(Slot slot, Instant now) {
        return new SlotView(
                slot.id(),
                slot.doctorId(),
                slot.startAt(),
                slot.endAt(),
                slot.capacity(),
                slot.remaining(),
                slot.opensAt(),
                slot.stateAt(now),
                slot.version());
    }

    /** Whether a patient could book it now or later. */
    boolean isOffered() {
        return state == SlotState.OPEN || state == SlotState.NOT_OPEN_YET;
    }
}
