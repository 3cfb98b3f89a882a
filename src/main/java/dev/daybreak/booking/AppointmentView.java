package dev.daybreak.booking;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An appointment as its patient and the clinic's staff see it.
 *
 * @param history its life, beginning with how it was made; absent from the answers to bookings
 */
record AppointmentView(
        long id,
        @Nullable Long slotId,
        long doctorId,
        long patientId,
        AppointmentStatus status,
        Instant startAt,
        Instant endAt,
        int revision,
        Instant createdAt,
        @Nullable Instant cancelledAt,
        @Nullable String cancelledBy,
        @Nullable String cancelReason,
        @Nullable Instant holdExpiresAt,
        @Nullable List<Appointment.Change> history) {

    static final String EXAMPLE = """
            {"id": 5012, "slotId": 1001, "doctorId": 12, "patientId": 77, "status": "BOOKED", "startAt": "2026-10-12T07:00:00Z",
             "endAt": "2026-10-12T07:15:00Z", "revision": 1, "createdAt": "2026-10-01T05:00:00.012Z"}""";

    static final String EXAMPLE_WITH_HISTORY = """
            {"id": 5012, "slotId": 1002, "doctorId": 12, "patientId": 77, "status": "BOOKED", "startAt": "2026-10-12T07:15:00Z",
             "endAt": "2026-10-12T07:30:00Z", "revision": 2, "createdAt": "2026-10-01T05:00:00.012Z",
             "history": [{"at": "2026-10-01T05:00:00.012Z", "by": "patient", "change": "BOOKED"},
                         {"at": "2026-10-02T09:30:00Z", "by": "patient", "change": "MOVED", "fromSlotId": 1001, "toSlotId": 1002,
                          "fromStartAt": "2026-10-12T07:00:00Z", "toStartAt": "2026-10-12T07:15:00Z"}]}""";

    /** Of no interest any more once it is confirmed or given up. */
    private static @Nullable Instant heldUntil(Appointment appointment) {
        return switch (appointment.status()) {
            case HELD, EXPIRED -> appointment.holdExpiresAt();
            case BOOKED, CANCELLED -> null;
        };
    }

    /** Without its history, which the answers of a rush do not need. */
    static AppointmentView of(Appointment appointment) {
        return of(appointment, null);
    }

    static AppointmentView withHistory(Appointment appointment) {
        return of(appointment, appointment.history());
    }

    private static AppointmentView of(Appointment appointment, @Nullable List<Appointment.Change> history) {
        return new AppointmentView(
                appointment.id(),
                appointment.slotId(),
                appointment.doctorId(),
                appointment.patientId(),
                appointment.status(),
                appointment.startAt(),
                appointment.endAt(),
                appointment.revision(),
                appointment.createdAt(),
                appointment.cancelledAt(),
                appointment.cancelledBy(),
                appointment.cancelReason(),
                heldUntil(appointment),
                history);
    }
}
