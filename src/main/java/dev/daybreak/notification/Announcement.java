package dev.daybreak.notification;

import dev.daybreak.booking.Appointment;
import dev.daybreak.outbox.OutboxEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Something a patient has to be told, by every channel.
 *
 * @param eventId the same whenever it is about the same thing
 * @param startAt what the message says
 * @param dueAt when the message may go out
 */
record Announcement(
        UUID eventId,
        Kind kind,
        long appointmentId,
        long patientId,
        Instant startAt,
        Instant endAt,
        @Nullable Instant previousStartAt,
        Instant createdAt,
        Instant dueAt) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Null if the event is none of the patient's concern. Throws if it is, but cannot be understood. */
    static @Nullable Announcement of(OutboxEvent event) {
        Kind kind = switch (event.type()) {
            case "AppointmentBooked" -> Kind.BOOKED;
            case "AppointmentConfirmed" -> Kind.CONFIRMED;
            case "AppointmentMoved" -> Kind.MOVED;
            case "AppointmentCancelled" -> Kind.CANCELLED;
            default -> null;
        };
        if (kind == null) {
            return null;
        }
        JsonNode payload = JSON.readTree(event.payload());
        // The patient gave a hold back, or nobody confirmed it: they were never told that they had the time.
        if (payload.path("released").asBoolean(false)) {
            return null;
        }
        JsonNode previous = payload.path(payload.has("previousStartAt") ? "previousStartAt" : "fromStartAt");
        return new Announcement(
                event.id(),
                kind,
                id(payload, "appointmentId"),
                id(payload, "patientId"),
                instant(payload.path("startAt")),
                instant(payload.path("endAt")),
                kind == Kind.MOVED && previous.isString() ? instant(previous) : null,
                event.createdAt(),
                event.createdAt());
    }

    /** That an appointment begins soon; another one if it is moved. */
    static Announcement reminder(Appointment appointment, Duration before, Instant now) {
        String name = "reminder:" + appointment.id() + ":" + appointment.startAt();
        return new Announcement(
                UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)),
                Kind.REMINDER,
                appointment.id(),
                appointment.patientId(),
                appointment.startAt(),
                appointment.endAt(),
                null,
                now,
                appointment.startAt().minus(before));
    }

    private static long id(JsonNode payload, String field) {
        JsonNode value = payload.path(field);
        if (!value.isIntegralNumber()) {
            throw new IllegalArgumentException("The event has no " + field);
        }
        return value.longValue();
    }

    private static Instant instant(JsonNode value) {
        if (!value.isString()) {
            throw new IllegalArgumentException("The event does not say when the appointment is");
        }
        return OffsetDateTime.parse(value.stringValue()).toInstant();
    }
}
