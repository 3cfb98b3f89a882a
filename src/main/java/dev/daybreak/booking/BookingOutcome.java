package dev.daybreak.booking;

import java.time.Duration;
import java.time.Instant;

/** What became of a booking request. Only {@link Booked} changed anything. */
public sealed interface BookingOutcome {

    /** A seat was free and is now the patient's. */
    record Booked(Appointment appointment) implements BookingOutcome {}

    /** The same request was booked before; this is the appointment as it is now. */
    record Replayed(Appointment appointment) implements BookingOutcome {}

    /** The key belongs to a booking of another slot or patient. */
    record KeyReused() implements BookingOutcome {}

    /** No seat was left when the request was decided. */
    record SlotFull(long slotId, int remaining) implements BookingOutcome {}

    /** The patient has tried too often and may try again after the time given. */
    record RateLimited(Duration retryAfter) implements BookingOutcome {}

    /** The patient has a seat of this slot already, under another key. */
    record AlreadyBooked() implements BookingOutcome {}

    /** The patient has another appointment at that time. */
    record PatientOverlap() implements BookingOutcome {}

    /** The slot cannot be booked before {@code opensAt}. */
    record SlotNotOpen(Instant opensAt) implements BookingOutcome {}

    /** The slot begins now or has begun. */
    record SlotPast() implements BookingOutcome {}

    /** The clinic takes no bookings for the slot. */
    record SlotClosed() implements BookingOutcome {}

    /** There is no such slot. */
    record SlotNotFound() implements BookingOutcome {}
}
