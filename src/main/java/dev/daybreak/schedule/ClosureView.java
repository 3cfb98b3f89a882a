package dev.daybreak.schedule;

import org.jspecify.annotations.Nullable;

/**
 * A closure as the client reads it.
 *
 * @param id none if it was tried only
 * @param doctorId none for a closure of the whole clinic
 * @param from a day or a point in time, as it was given
 * @param closedSlots slots that this very request has closed
 * @param cancelledAppointments appointments that this very request has cancelled
 */
record ClosureView(
        @Nullable Long id,
        @Nullable Long doctorId,
        String from,
        String to,
        @Nullable String reason,
        @Nullable Long closedSlots,
        @Nullable Long cancelledAppointments) {

    static final String EXAMPLE = """
            {"id": 9, "doctorId": 7, "from": "2026-12-24", "to": "2027-01-02", "reason": "Holidays"}""";

    static ClosureView of(Closure closure, ClinicSettings clinic) {
        return new ClosureView(
                closure.id(),
                closure.doctorId(),
                closure.range().writtenFrom(clinic),
                closure.range().writtenTo(clinic),
                closure.reason(),
                null,
                null);
    }

    /** With what making or changing it has done. */
    ClosureView after(Withdrawal.Done done, boolean dryRun) {
        return new ClosureView(dryRun ? null : id, doctorId, from, to, reason, done.closed(), done.cancelled());
    }
}
