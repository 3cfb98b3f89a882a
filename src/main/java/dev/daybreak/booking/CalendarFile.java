package dev.daybreak.booking;

import dev.daybreak.schedule.Doctor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import net.fortuna.ical4j.data.CalendarOutputter;
import net.fortuna.ical4j.model.Calendar;
import net.fortuna.ical4j.model.component.VEvent;
import net.fortuna.ical4j.model.property.DtEnd;
import net.fortuna.ical4j.model.property.DtStamp;
import net.fortuna.ical4j.model.property.DtStart;
import net.fortuna.ical4j.model.property.ProdId;
import net.fortuna.ical4j.model.property.Sequence;
import net.fortuna.ical4j.model.property.Summary;
import net.fortuna.ical4j.model.property.Uid;
import net.fortuna.ical4j.model.property.immutable.ImmutableCalScale;
import net.fortuna.ical4j.model.property.immutable.ImmutableMethod;
import net.fortuna.ical4j.model.property.immutable.ImmutableStatus;
import net.fortuna.ical4j.model.property.immutable.ImmutableVersion;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Appointments as calendar files (RFC 5545). All files of one appointment have the same identifier and a rising sequence, so
 * that a calendar changes or removes the entry it has.
 */
public final class CalendarFile {

    private final Clock clock;
    private final String domain;

    CalendarFile(Clock clock, String domain) {
        this.clock = clock;
        this.domain = domain;
    }

    /**
     * Emits the file of a booked or cancelled appointment, in UTF-8. Made on a thread that may wait, as the library reads
     * resources when it is first used.
     */
    public Mono<byte[]> of(Appointment appointment, Doctor doctor) {
        return Mono.fromCallable(() -> write(calendar(appointment, doctor))).subscribeOn(Schedulers.boundedElastic());
    }

    private Calendar calendar(Appointment appointment, Doctor doctor) {
        boolean cancelled = appointment.status() == AppointmentStatus.CANCELLED;
        var event = new VEvent(false);
        event.add(new Uid("appointment-" + appointment.id() + "@" + domain));
        event.add(new Sequence(appointment.revision() - 1));
        event.add(new DtStamp(clock.instant()));
        event.add(new DtStart<>(appointment.startAt()));
        event.add(new DtEnd<>(appointment.endAt()));
        event.add(new Summary("%s (%s)".formatted(doctor.name(), doctor.specialty())));
        event.add(cancelled ? ImmutableStatus.VEVENT_CANCELLED : ImmutableStatus.VEVENT_CONFIRMED);
        var calendar = new Calendar();
        calendar.add(new ProdId("-//Daybreak//Appointments//EN"));
        calendar.add(ImmutableVersion.VERSION_2_0);
        calendar.add(ImmutableCalScale.GREGORIAN);
        calendar.add(cancelled ? ImmutableMethod.CANCEL : ImmutableMethod.PUBLISH);
        calendar.add(event);
        return calendar;
    }

    // Not validated: that asks for an organizer with an address, which a clinic need not have.
    private static byte[] write(Calendar calendar) {
        var bytes = new ByteArrayOutputStream();
        try {
            new CalendarOutputter(false).output(calendar, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
