package dev.daybreak.notification;

import dev.daybreak.booking.Appointment;
import dev.daybreak.booking.Appointment.Change;
import dev.daybreak.booking.AppointmentStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether a message is still worth sending, judged by the appointment as it is when the message is about to go out. */
final class Relevance {

    static final String NO_EMAIL = "The patient has left no e-mail address";
    static final String NO_PHONE = "The patient has left no phone number";
    static final String NO_CONSENT = "The patient has not agreed to text messages";
    static final String GONE = "There is no such appointment";
    static final String ENDED = "The appointment has been cancelled since";
    static final String MOVED = "The appointment has been moved since";
    static final String BEGUN = "The appointment has begun";
    static final String NEVER_BOOKED = "The time was only held, and nobody had confirmed it";

    private Relevance() {}

    /** Why the message must not go out, or null if it has to. */
    static @Nullable String reasonToSkip(
            Notification notification, Contact contact, @Nullable Appointment appointment, Instant now) {
        if (appointment == null) {
            return GONE;
        }
        String outdated = switch (notification.kind()) {
            case CANCELLED -> wasBooked(appointment) ? null : NEVER_BOOKED;
            case BOOKED, CONFIRMED, MOVED, REMINDER -> outdated(notification, appointment, now);
        };
        return outdated != null ? outdated : unreachable(notification.channel(), contact);
    }

    private static @Nullable String outdated(Notification notification, Appointment appointment, Instant now) {
        if (appointment.status() != AppointmentStatus.BOOKED) {
            return ENDED;
        }
        // The message about the move says the new time; two at once would leave the patient guessing.
        if (!appointment.startAt().equals(notification.startAt())) {
            return MOVED;
        }
        return appointment.startAt().isAfter(now) ? null : BEGUN;
    }

    private static @Nullable String unreachable(Channel channel, Contact contact) {
        return switch (channel) {
            case EMAIL -> contact.email() == null ? NO_EMAIL : null;
            case SMS -> contact.phone() == null ? NO_PHONE : contact.smsConsent() ? null : NO_CONSENT;
        };
    }

    private static boolean wasBooked(Appointment appointment) {
        return !appointment.held()
                || appointment.changes().stream().anyMatch(change -> change.change() == Change.Kind.CONFIRMED);
    }

    /**
     * Whether an appointment needs a reminder. Not when it got its time so late that the message about that was a reminder
     * already.
     */
    static boolean needsReminder(Appointment appointment, Duration before) {
        Instant lastTold = Stream.concat(
                        Stream.of(appointment.createdAt()),
                        appointment.changes().stream()
                                .filter(change -> change.change() == Change.Kind.CONFIRMED
                                        || change.change() == Change.Kind.MOVED)
                                .map(Change::at))
                .max(Instant::compareTo)
                .orElseThrow();
        return !lastTold.isAfter(appointment.startAt().minus(before));
    }
}
