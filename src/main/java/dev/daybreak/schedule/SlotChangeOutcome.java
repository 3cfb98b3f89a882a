package dev.daybreak.schedule;

/** What became of a change the clinic wanted. */
sealed interface SlotChangeOutcome {

    record Changed(Slot slot) implements SlotChangeOutcome {}

    /** More seats are taken than there would be. */
    record BelowBooked(int booked) implements SlotChangeOutcome {}

    /** A closure covers the slot, which cannot be opened before that is changed or ended. */
    record InClosure(long closureId) implements SlotChangeOutcome {}

    record NoSuchSlot() implements SlotChangeOutcome {}
}
