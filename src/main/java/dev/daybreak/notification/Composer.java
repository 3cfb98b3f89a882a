package dev.daybreak.notification;

import dev.daybreak.booking.Appointment;
import dev.daybreak.booking.AppointmentStatus;
import dev.daybreak.booking.Booking;
import dev.daybreak.booking.CalendarFile;
import dev.daybreak.notification.Message.CalendarAttachment;
import dev.daybreak.notification.Wording.Words;
import dev.daybreak.schedule.Doctor;
import dev.daybreak.schedule.Doctors;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Puts messages together, from what they are about and whom they are for. */
final class Composer {

    private static final int DOCTORS_AT_ONCE = 2;

    private final Booking booking;
    private final Doctors doctors;
    private final Contacts contacts;
    private final CalendarFile files;
    private final Wording wording;

    /** What some messages are about, as it is now. */
    record Particulars(Map<Long, Appointment> appointments, Map<Long, Doctor> doctors, Map<Long, Contact> contacts) {

        @Nullable
        Appointment appointment(Notification notification) {
            return appointments.get(notification.appointmentId());
        }

        Contact contact(Notification notification) {
            return contacts.getOrDefault(notification.patientId(), Contact.NONE);
        }
    }

    Composer(Booking booking, Doctors doctors, Contacts contacts, CalendarFile files, Wording wording) {
        this.booking = booking;
        this.doctors = doctors;
        this.contacts = contacts;
        this.files = files;
        this.wording = wording;
    }

    /** Looks up what these messages are about; a few statements for all of them, 1,024 at most. */
    Mono<Particulars> particulars(List<Notification> notifications) {
        var appointmentIds = notifications.stream()
                .map(Notification::appointmentId)
                .distinct()
                .toList();
        var patientIds =
                notifications.stream().map(Notification::patientId).distinct().toList();
        return booking.findAll(appointmentIds)
                .flatMap(appointments -> Mono.zip(doctors(appointments.values()), contacts.findAll(patientIds))
                        .map(found -> new Particulars(appointments, found.getT1(), found.getT2())));
    }

    private Mono<Map<Long, Doctor>> doctors(Collection<Appointment> appointments) {
        return Flux.fromStream(appointments.stream().map(Appointment::doctorId).distinct())
                .flatMap(doctors::find, DOCTORS_AT_ONCE)
                .collectMap(Doctor::id);
    }

    /** Null if nobody knows any more what the message was about. */
    @Nullable
    Words words(Notification notification, Particulars particulars) {
        Appointment appointment = particulars.appointment(notification);
        Doctor doctor = appointment == null ? null : particulars.doctors().get(appointment.doctorId());
        return doctor == null
                ? null
                : wording.of(
                        notification, doctor, particulars.contact(notification).language());
    }

    /** Emits the message; empty if there is nothing to say or nobody to say it to. */
    Mono<Message> message(Notification notification, Particulars particulars) {
        Appointment appointment = particulars.appointment(notification);
        Words words = words(notification, particulars);
        String to = particulars.contact(notification).address(notification.channel());
        if (appointment == null || words == null || to == null) {
            return Mono.empty();
        }
        return switch (notification.channel()) {
            case SMS -> Mono.just(new Message(notification.id(), to, null, words.shortText(), null, null));
            case EMAIL ->
                attachment(notification, appointment, particulars)
                        .map(calendar -> email(notification, to, words, calendar))
                        .defaultIfEmpty(email(notification, to, words, null));
        };
    }

    private static Message email(
            Notification notification, String to, Words words, @Nullable CalendarAttachment calendar) {
        return new Message(notification.id(), to, words.subject(), words.text(), words.html(), calendar);
    }

    /** Empty for a reminder: the patient's calendar has the entry already. */
    private Mono<CalendarAttachment> attachment(
            Notification notification, Appointment appointment, Particulars particulars) {
        Doctor doctor = particulars.doctors().get(appointment.doctorId());
        if (notification.kind() == Kind.REMINDER || doctor == null) {
            return Mono.empty();
        }
        String method = appointment.status() == AppointmentStatus.CANCELLED ? "CANCEL" : "PUBLISH";
        return files.of(appointment, doctor)
                .map(file -> new CalendarAttachment("appointment-" + appointment.id() + ".ics", method, file));
    }
}
