package dev.daybreak.booking;

import dev.daybreak.booking.BookingOutcome.AlreadyBooked;
import dev.daybreak.booking.BookingOutcome.BookingLimit;
import dev.daybreak.booking.BookingOutcome.KeyReused;
import dev.daybreak.booking.BookingOutcome.PatientOverlap;
import dev.daybreak.booking.BookingOutcome.RateLimited;
import dev.daybreak.booking.BookingOutcome.Refused;
import dev.daybreak.booking.BookingOutcome.SlotClosed;
import dev.daybreak.booking.BookingOutcome.SlotFull;
import dev.daybreak.booking.BookingOutcome.SlotNotFound;
import dev.daybreak.booking.BookingOutcome.SlotNotOpen;
import dev.daybreak.booking.BookingOutcome.SlotPast;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;

/** What a client is told about a seat it did not get. */
final class BookingProblems {

    private BookingProblems() {}

    static Problem of(Refused outcome, long slotId) {
        return switch (outcome) {
            case KeyReused reused -> Problem.of(ProblemCode.IDEMPOTENCY_KEY_REUSED);
            case RateLimited limited -> Problem.of(ProblemCode.RATE_LIMITED).retryAfter(limited.retryAfter());
            case SlotFull full -> ofSlot(ProblemCode.SLOT_FULL, slotId).with("remaining", full.remaining());
            case AlreadyBooked already -> ofSlot(ProblemCode.ALREADY_BOOKED, slotId);
            case PatientOverlap overlap -> ofSlot(ProblemCode.PATIENT_OVERLAP, slotId);
            case BookingLimit limit -> Problem.of(ProblemCode.BOOKING_LIMIT).with("limit", limit.limit());
            case SlotNotOpen early -> ofSlot(ProblemCode.SLOT_NOT_OPEN, slotId).with("opensAt", early.opensAt());
            case SlotPast past -> ofSlot(ProblemCode.SLOT_PAST, slotId);
            case SlotClosed closed -> ofSlot(ProblemCode.SLOT_CLOSED, slotId);
            case SlotNotFound missing -> ofSlot(ProblemCode.SLOT_NOT_FOUND, slotId);
        };
    }

    private static Problem ofSlot(ProblemCode code, long slotId) {
        return Problem.of(code).with("slotId", slotId);
    }
}
