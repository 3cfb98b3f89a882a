package dev.daybreak.booking;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A patient's claim on a seat of a slot, as it was when read. Never deleted: it ends as cancelled or expired.
 *
 * @param revision counts the changes, from 1
 * @param status EXPIRED from the moment a hold expires, recorded or not
 * @param cancelledBy who cancelled it: the patient, or a name of the clinic's staff
 * @param holdExpiresAt until when the seat is or was held; null if it never was
 */
public record Appointment(
        long id,
        long slotId,
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
        @Nullable Instant holdExpiresAt) {}
