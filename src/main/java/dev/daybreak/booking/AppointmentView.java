package dev.daybreak.booking;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An appointment as its patient and the clinic's staff see it. */
record AppointmentView(
        long id,
        @Nullable Long slotId,
        long doctorId,
        long patientId,
        AppointmentStatus status,
        Instant startAt,
        Instant endAt,
        Instant createdAt,
        @Nullable Instant cancelledAt,
        @Nullable String cancelledBy,
        @Nullable String cancelReason) {

    static final String EXAMPLE = """
            {"id": 5012, "slotId": 1001, "doctorId": 12, "patientId": 77, "status": "BOOKED", "startAt": "2026-10-12T07:00:00Z",
             "endAt": "2026-10-12T07:15:00Z", "createdAt": "2026-10-01T05:00:00.012Z"}""";

    static AppointmentView of(Appointment appointment) {
        return new AppointmentView(
                appointment.id(),
                appointment.slotId(),
                appointment.doctorId(),
                appointment.patientId(),
                appointment.status(),
                appointment.startAt(),
                appointment.endAt(),
                appointment.createdAt(),
                appointment.cancelledAt(),
                appointment.cancelledBy(),
                appointment.cancelReason());
    }
}
