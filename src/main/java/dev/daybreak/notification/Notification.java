package dev.daybreak.notification;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message to a patient, as it was when read.
 *
 * @param startAt the time of the appointment that the message is about
 * @param attempts how often it was sent or tried, the one under way included
 * @param reason why it was skipped, has failed, or is tried again
 * @param subject as it was sent, as is body; null before, and for text messages
 */
record Notification(
        long id,
        UUID eventId,
        Channel channel,
        Kind kind,
        long appointmentId,
        long patientId,
        Instant startAt,
        Instant endAt,
        @Nullable Instant previousStartAt,
        Status status,
        int attempts,
        @Nullable String reason,
        @Nullable Instant nextAttemptAt,
        Instant createdAt,
        @Nullable Instant sentAt,
        @Nullable String subject,
        @Nullable String body) {}
