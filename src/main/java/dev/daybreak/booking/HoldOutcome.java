package dev.daybreak.booking;

import java.time.Instant;

/** What became of a change of a hold. Repeating what was done before gives the same outcome and changes nothing. */
sealed interface HoldOutcome {

    /** It lasts until the time given. */
    record Extended(Appointment hold, Instant expiresAt) implements HoldOutcome {}

    /** The seat is free again. */
    record Released() implements HoldOutcome {}

    /** The seat is the patient's. */
    record Confirmed(Appointment appointment) implements HoldOutcome {}

    /** It lasts as long as a hold can, and no longer. */
    record AtItsLimit(Instant expiresAt) implements HoldOutcome {}

    /** It has expired, whether or not the seat has been given back. */
    record Expired() implements HoldOutcome {}

    /** The token is missing or not one of this hold's. */
    record WrongToken() implements HoldOutcome {}

    /** There is none under that id, or it has been confirmed or released. */
    record NoSuchHold() implements HoldOutcome {}
}
