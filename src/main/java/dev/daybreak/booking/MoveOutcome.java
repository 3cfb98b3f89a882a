package dev.daybreak.booking;

import java.time.Instant;

/** What became of a wish to move. Only {@link Moved} changed anything; after any other the old seat is kept. */
sealed interface MoveOutcome {

    /** The new seat was free and is the patient's; the old one has been given back. */
    record Moved(Appointment appointment) implements MoveOutcome {}

    /** The appointment has that slot already. */
    record Unchanged(Appointment appointment) implements MoveOutcome {}

    /** There is no such appointment. */
    record AppointmentNotFound() implements MoveOutcome {}

    /** Only a booked appointment can be moved, and this one is something else. */
    record NotBooked(AppointmentStatus status) implements MoveOutcome {}

    /** It could be moved until then. */
    record TooLate(Instant until) implements MoveOutcome {}

    /** No seat was left when the move was decided. */
    record SlotFull(int remaining) implements MoveOutcome {}

    /** The patient has another appointment in the slot. */
    record AlreadyBooked() implements MoveOutcome {}

    /** The patient has another appointment at that time. */
    record PatientOverlap() implements MoveOutcome {}

    /** The slot cannot be booked before {@code opensAt}. */
    record SlotNotOpen(Instant opensAt) implements MoveOutcome {}

    /** The slot begins now or has begun. */
    record SlotPast() implements MoveOutcome {}

    /** The clinic takes no bookings for the slot. */
    record SlotClosed() implements MoveOutcome {}

    /** There is no such slot. */
    record SlotNotFound() implements MoveOutcome {}

    /** The wish had to wait for so long that it may not be what the patient wants any more. */
    record Outdated() implements MoveOutcome {}
}
