package dev.daybreak.booking;

import java.time.Duration;
import java.time.Instant;

/** What became of a booking request. Only {@link Booked} changed anything. */
public sealed interface BookingOutcome {

    /** A seat was free and is now the patient's: booked, or held if that was asked for. */
    record Booked(Appointment appointment) implements BookingOutcome {}

    /**
     * The same request was booked before, or the patient already holds the seat it asks to hold; this is the appointment as it
     * is now.
     */
    record Replayed(Appointment appointment) implements BookingOutcome {}

    /** Nothing was booked. */
    sealed interface Refused extends BookingOutcome {}

    /** The key belongs to a booking of another slot or patient, or to a hold where a booking is asked for, or the reverse. */
    record KeyReused() implements Refused {}

    /** No seat was left when the request was decided. */
    record SlotFull(long slotId, int remaining) implements Refused {}

    /** The patient has tried too often and may try again after the time given. */
    record RateLimited(Duration retryAfter) implements Refused {}

    /** The patient has a seat of this slot already, under another key. */
    record AlreadyBooked() implements Refused {}

    /** The patient has another appointment at that time. */
    record PatientOverlap() implements Refused {}

    /** The patient has as many appointments ahead as the clinic allows. */
    record BookingLimit(int limit) implements Refused {}

    /** The slot cannot be booked before {@code opensAt}. */
    record SlotNotOpen(Instant opensAt) implements Refused {}

    /** The slot begins now or has begun. */
    record SlotPast() implements Refused {}

    /** The clinic takes no bookings for the slot. */
    record SlotClosed() implements Refused {}

    /** There is no such slot. */
    record SlotNotFound() implements Refused {}
}
