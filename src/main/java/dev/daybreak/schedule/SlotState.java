package dev.daybreak.schedule;

/** Whether a slot can be booked, and if not, why; the first that applies in the order closed, past, not open yet, full. */
public enum SlotState {
    OPEN,
    NOT_OPEN_YET,
    FULL,
    CLOSED,
    PAST;

    /** Whether a patient can book it, now or later. */
    public boolean isOffered() {
        return this == OPEN || this == NOT_OPEN_YET;
    }
}
