package dev.daybreak.schedule;

import java.time.Instant;

/**
 * A slot as a client reads it; nothing in it is personal.
 *
 * @param remaining seats left
 */
public record SlotView(
        long id,
        long doctorId,
        Instant startAt,
        Instant endAt,
        int capacity,
        int remaining,
        Instant opensAt,
        SlotState state,
        long version) {

    public static SlotView of(Slot slot, Instant now) {
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
}
