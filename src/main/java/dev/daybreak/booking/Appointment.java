package dev.daybreak.booking;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A patient's claim on a seat of a slot, as it was when read. Never deleted: it ends as cancelled or expired.
 *
 * @param slotId null for a time of a flexible doctor
 * @param revision counts the changes, from 1
 * @param cancelledBy who cancelled it: the patient, or a name of the clinic's staff
 */
public record Appointment(
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
        @Nullable String cancelReason) {}
