package dev.daybreak.schedule;

/** What became of a change the clinic wanted. */
sealed interface SlotChangeOutcome {

    record Changed(Slot slot) implements SlotChangeOutcome {}

    /** More seats are taken than there would be. */
    record BelowBooked(int booked) implements SlotChangeOutcome {}

    record NoSuchSlot() implements SlotChangeOutcome {}
}
