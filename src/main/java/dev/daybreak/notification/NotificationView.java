package dev.daybreak.notification;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message as staff see it.
 *
 * @param reason why it was skipped, has failed, is tried again, or waits
 * @param to where it goes now; absent if the patient cannot be reached by this channel
 * @param subject as it was sent, or would be now, as is text
 */
record NotificationView(
        long id,
        UUID eventId,
        Channel channel,
        Kind kind,
        long appointmentId,
        long patientId,
        Status status,
        @Nullable String reason,
        int attempts,
        Instant createdAt,
        @Nullable Instant nextAttemptAt,
        @Nullable Instant sentAt,
        @Nullable String to,
        @Nullable String subject,
        @Nullable String text) {

    static final String EXAMPLE = """
            {"id": 9001, "eventId": "0b0e2b1c-6a55-4d0f-9a53-1f5c2f0d7a11", "channel": "SMS", "kind": "BOOKED", "appointmentId": 5012,
             "patientId": 77, "status": "FAILED", "reason": "The SMS gateway answered 500", "attempts": 12,
             "createdAt": "2026-10-01T05:00:00.012Z", "to": "+4915112345678",
             "text": "Booked: Monday 12 October 2026, 09:00 (Europe/Berlin, UTC+02:00), Dr. Mira Holm. No. 5012"}""";

    /** Keeps the address out of logs. */
    @Override
    public String toString() {
        return "NotificationView[" + id + "]";
    }
}
