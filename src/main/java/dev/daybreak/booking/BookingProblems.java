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
import dev.daybreak.platform.web.ApiDoc;
import java.time.Duration;

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

    /** Adds to the description of a call that asks for a seat what it may be told. */
    static ApiDoc describedIn(ApiDoc call) {
        return call.problems(ProblemCode.IDEMPOTENCY_KEY_REQUIRED, ProblemCode.SLOT_NOT_FOUND)
                .problem(Problem.of(ProblemCode.SLOT_FULL).with("slotId", 1001).with("remaining", 0))
                .problem(Problem.of(ProblemCode.SLOT_NOT_OPEN)
                        .with("slotId", 1001)
                        .with("opensAt", "2026-09-28T05:00:00Z"))
                .problem(Problem.of(ProblemCode.BOOKING_LIMIT).with("limit", 3))
                .problems(
                        ProblemCode.ALREADY_BOOKED,
                        ProblemCode.PATIENT_OVERLAP,
                        ProblemCode.SLOT_PAST,
                        ProblemCode.SLOT_CLOSED,
                        ProblemCode.IDEMPOTENCY_KEY_REUSED,
                        ProblemCode.BUSY)
                .problem(Problem.of(ProblemCode.RATE_LIMITED).retryAfter(Duration.ofSeconds(7)));
    }

    private static Problem ofSlot(ProblemCode code, long slotId) {
        return Problem.of(code).with("slotId", slotId);
    }
}
