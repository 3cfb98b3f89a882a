package dev.daybreak.schedule;

import java.time.Instant;

/**
 * Slots of a doctor were made and committed. Published in this process only, on the thread that learned of it: a listener
 * must not block.
 *
 * @param from the start of the first
 * @param to the end of the last
 */
public record SlotsPublished(long doctorId, Instant from, Instant to) {

    static SlotsPublished of(SlotPlan plan) {
        PlannedSlot first = plan.slots().getFirst();
        return new SlotsPublished(
                first.doctorId(), first.startAt(), plan.slots().getLast().endAt());
    }
}
