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

    public static final String EXAMPLE = """
            {"id": 1001, "doctorId": 12, "startAt": "2026-10-12T07:00:00Z", "endAt": "2026-10-12T07:15:00Z",
             "capacity": 10, "remaining": 3, "opensAt": "2026-09-28T05:00:00Z", "state": "OPEN", "version": 17}""";

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
