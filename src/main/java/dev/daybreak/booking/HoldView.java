package dev.daybreak.booking;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A hold as whoever asked for it sees it.
 *
 * @param token the secret that extends, releases and confirms it; told to whoever asked for the hold, and never again
 * @param expiresAt absent once it is confirmed
 */
record HoldView(
        long id,
        long slotId,
        long doctorId,
        long patientId,
        AppointmentStatus status,
        Instant startAt,
        Instant endAt,
        @Nullable String token,
        @Nullable Instant expiresAt) {

    static final String EXTENDED_EXAMPLE = """
            {"id": 5012, "slotId": 1001, "doctorId": 12, "patientId": 77, "status": "HELD", "startAt": "2026-10-12T07:00:00Z",
             "endAt": "2026-10-12T07:15:00Z", "expiresAt": "2026-10-01T05:07:30.25Z"}""";

    static final String EXAMPLE = """
            {"id": 5012, "slotId": 1001, "doctorId": 12, "patientId": 77, "status": "HELD", "startAt": "2026-10-12T07:00:00Z",
             "endAt": "2026-10-12T07:15:00Z", "token": "wT0oW2mS8C1n6o3Zl7Q4rXb9Jk5eHq2A", "expiresAt": "2026-10-01T05:05:00.012Z"}""";

    /** A hold that was asked for; one that has been confirmed needs no token any more. */
    static HoldView of(Appointment hold, HoldToken token) {
        return hold.status() == AppointmentStatus.HELD
                ? of(hold, token.value(), hold.holdExpiresAt())
                : of(hold, null, null);
    }

    static HoldView extended(Appointment hold, Instant expiresAt) {
        return of(hold, null, expiresAt);
    }

    private static HoldView of(Appointment hold, @Nullable String token, @Nullable Instant expiresAt) {
        return new HoldView(
                hold.id(),
                Objects.requireNonNull(hold.slotId()),
                hold.doctorId(),
                hold.patientId(),
                hold.status(),
                hold.startAt(),
                hold.endAt(),
                token,
                expiresAt);
    }
}
