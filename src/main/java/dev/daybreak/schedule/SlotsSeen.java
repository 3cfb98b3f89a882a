package dev.daybreak.schedule;

import java.time.Instant;
import java.util.Collection;

/**
 * What somebody knows of the slots of a doctor that start in the time from {@code from} to before {@code to}, whole seconds.
 *
 * @param versions the sum of their versions, each plus one
 */
public record SlotsSeen(long doctorId, Instant from, Instant to, long versions) {

    public static SlotsSeen of(long doctorId, Instant from, Instant to, Collection<Slot> slots) {
        return new SlotsSeen(
                doctorId,
                from,
                to,
                slots.stream().mapToLong(slot -> slot.version() + 1).sum());
    }
}
