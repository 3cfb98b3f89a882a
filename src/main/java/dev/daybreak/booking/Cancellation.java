package dev.daybreak.booking;

import org.jspecify.annotations.Nullable;

/**
 * A wish to cancel an appointment.
 *
 * @param actor who cancels, kept with the appointment
 * @param reason why, in the canceller's words
 */
public record Cancellation(
        long appointmentId, String actor, @Nullable String reason) {

    /** What became of it. An appointment that had ended before stays as it was: that is {@code UNCHANGED}, not an error. */
    public enum Outcome {
        CANCELLED,
        UNCHANGED,
        TOO_LATE,
        NOT_FOUND
    }
}
