package dev.daybreak.booking;

import java.time.Duration;
import java.time.Instant;

/** What became of a request for a time of a flexible doctor. Only {@link Taken} changed anything. */
public sealed interface OpeningOutcome {

    /** The time was free and is now the patient's. */
    record Taken(Appointment appointment) implements OpeningOutcome {}

    /** The patient has it by the same request, sent before; this is the appointment as it is now. */
    record HadBefore(Appointment appointment) implements OpeningOutcome {}

    /** It cannot be had. */
    record Refused(Reason reason) implements OpeningOutcome {}

    /** It cannot be had before {@code opensAt}. */
    record NotOpen(Instant opensAt) implements OpeningOutcome {}

    /** An appointment that is to be moved has ended. */
    record NotBooked(AppointmentStatus status) implements OpeningOutcome {}

    /** The patient has as many appointments ahead as the clinic allows. */
    record LimitReached(int limit) implements OpeningOutcome {}

    /** An appointment could be moved until then. */
    record TooLate(Instant until) implements OpeningOutcome {}

    /** The patient has tried too often and may try again after the time given. */
    record TooOften(Duration retryAfter) implements OpeningOutcome {}

    /** Why a time cannot be had. */
    enum Reason {
        KEY_REUSED,
        OPENING_NOT_FOUND,
        OPENING_TAKEN,
        ALREADY_BOOKED,
        PATIENT_OVERLAP,
        SLOT_PAST,
        SLOT_CLOSED,
        /** Only when moving: there is no such appointment, or it has a slot. */
        NOT_FOUND,
        NOT_FLEXIBLE
    }
}
