package dev.daybreak.booking;

import dev.daybreak.platform.security.Actor;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A patient's claim on a seat of a slot, as it was when read. Never deleted: it ends as cancelled or expired.
 *
 * @param slotId null for a time of a flexible doctor
 * @param revision counts the changes, from 1
 * @param status EXPIRED from the moment a hold expires, recorded or not
 * @param createdBy who made it: null for the patient
 * @param held whether it began as a hold
 * @param changes what happened to it after it was made, oldest first
 * @param cancelledBy who cancelled it: the patient, or a name of the clinic's staff
 * @param holdExpiresAt until when the seat is or was held; null if it never was
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
        @Nullable String createdBy,
        boolean held,
        List<Change> changes,
        @Nullable Instant cancelledAt,
        @Nullable String cancelledBy,
        @Nullable String cancelReason,
        @Nullable Instant holdExpiresAt) {

    /** Who makes a change that nobody of the clinic's staff makes; only these may come too late. */
    static final String PATIENT = "patient";

    /** How somebody signs what they change: the clinic's people by name, everybody else as the patient. */
    static String by(Actor actor) {
        if (!actor.isStaff() && actor.doctorId() == null) {
            return PATIENT;
        }
        return actor.name().equals(PATIENT) ? "staff" : actor.name();
    }

    /**
     * A step in the life of an appointment.
     *
     * @param by who made it: the patient, or a name of the clinic's staff
     * @param reason why, if somebody said so
     * @param fromSlotId the slot it left, if it was moved
     */
    public record Change(
            Instant at,
            String by,
            Kind change,
            @Nullable String reason,
            @Nullable Long fromSlotId,
            @Nullable Long toSlotId,
            @Nullable Instant fromStartAt,
            @Nullable Instant toStartAt) {

        /** What a step was. */
        public enum Kind {
            BOOKED,
            HELD,
            CONFIRMED,
            MOVED,
            CANCELLED,
            RELEASED,
            EXPIRED
        }
    }

    /** Its whole life, beginning with how it was made. */
    public List<Change> history() {
        var made = new Change(
                createdAt,
                createdBy == null ? PATIENT : createdBy,
                held ? Change.Kind.HELD : Change.Kind.BOOKED,
                null,
                null,
                null,
                null,
                null);
        return Stream.concat(Stream.of(made), changes.stream()).toList();
    }
}
