package dev.daybreak.outbox;

import dev.daybreak.outbox.Events.DeadLetter;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A dead letter as staff see it; {@code id} is what replays it, {@code eventId} what consumers know it by. */
record DeadLetterView(
        long id,
        UUID eventId,
        String aggregateType,
        String aggregateId,
        String type,
        String payload,
        Instant createdAt,
        Instant deadAt,
        int attempts,
        @Nullable String error) {

    static final String EXAMPLE = """
            {"id": 90017, "eventId": "0f8c1c0e-6f0c-4a57-9d39-3b1e9c1b7a55", "aggregateType": "appointment", "aggregateId": "5012",
             "type": "AppointmentBooked", "payload": "{\\"schemaVersion\\": 1, \\"appointmentId\\": 5012}",
             "createdAt": "2026-10-01T05:00:00.012Z", "deadAt": "2026-10-01T05:00:15.4Z", "attempts": 5,
             "error": "java.util.concurrent.TimeoutException"}""";

    static DeadLetterView of(DeadLetter letter) {
        OutboxEvent event = letter.event();
        return new DeadLetterView(
                event.sequence(),
                event.id(),
                event.aggregateType(),
                event.aggregateId(),
                event.type(),
                event.payload(),
                event.createdAt(),
                letter.deadAt(),
                letter.attempts(),
                letter.error());
    }
}
