package dev.daybreak.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.booking.Booking;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Reminders a day before, whatever happens to the appointment or to the service until then. */
class RemindersTest extends PostOffice {

    Instant start;
    long appointment;
    Reminders reminders;

    @BeforeEach
    void anAppointmentInThreeDays() {
        start = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofDays(3));
        appointment = book(clinic.slot(clinic.doctor(), start, 1));
        deliver(appointment);
        String sent = "SELECT count(*) FROM notification WHERE status = 'SENT' AND appointment_id = " + appointment;
        await().atMost(PATIENCE).until(() -> clinic.number(sent) == 2);
        // Not the service's own: it has looked at these days already, for other tests, which set the clock back since.
        reminders = justStarted();
    }

    /** Of the messages, only reminders are of interest here. */
    @Override
    List<Map<String, Object>> notifications() {
        return super.notifications().stream()
                .filter(each -> each.get("kind").equals("REMINDER"))
                .toList();
    }

    @Override
    MimeMessage[] mails() {
        return Arrays.stream(super.mails()).filter(RemindersTest::isReminder).toArray(MimeMessage[]::new);
    }

    @Override
    List<Map<String, Object>> texts() {
        return super.texts().stream()
                .filter(sms -> sms.get("text").toString().startsWith("Reminder"))
                .toList();
    }

    private static boolean isReminder(MimeMessage mail) {
        try {
            return mail.getSubject().startsWith("A reminder");
        } catch (MessagingException e) {
            throw new AssertionError(e);
        }
    }

    private Reminders justStarted() {
        return new Reminders(
                service.getBean(Booking.class), notifier, service.getBean(NotificationSettings.class), clock);
    }

    private void remindAt(Instant now) {
        clock.set(now);
        reminders.remind().block(PATIENCE);
    }

    private static Duration hours(int hours) {
        return Duration.ofHours(hours);
    }

    @Test
    void remindsOnceADayBefore() {
        remindAt(start.minus(hours(24)).minusMillis(1));
        assertThat(notifications()).isEmpty();

        remindAt(start.minus(hours(24)));
        awaitTold(Channel.EMAIL, "REMINDER SENT");
        awaitTold(Channel.SMS, "REMINDER SENT");
        remindAt(start.minus(hours(23)));
        remindAt(start.minus(hours(1)));

        assertThat(told(Channel.EMAIL)).containsExactly("REMINDER SENT");
        assertThat(mails()).hasSize(1);
        assertThat(texts()).hasSize(1);
    }

    @Test
    void remindsOfNothingCancelled() {
        clinic.cancel(appointment);

        remindAt(start.minus(hours(20)));

        assertThat(notifications()).isEmpty();
    }

    @Test
    void sendsNoReminderOfWhatIsCancelledBeforeItGoesOut() {
        ON_THE_WAY.cut();
        remindAt(start.minus(hours(20)));
        await().atMost(PATIENCE).until(() -> latest(Channel.EMAIL).containsKey("reason"));
        clinic.cancel(appointment);
        ON_THE_WAY.resume();
        clock.advance(Duration.ofSeconds(5));

        awaitTold(Channel.EMAIL, "REMINDER SKIPPED");
        assertThat(mails()).isEmpty();
    }

    @Test
    void remindsOfTheNewTimeWhenItHasBeenMoved() {
        Instant later = start.plus(Duration.ofDays(2));
        clinic.move(appointment, clinic.slot(clinic.doctor(), later, 1));

        remindAt(start.minus(hours(20)));
        assertThat(notifications()).isEmpty();

        remindAt(later.minus(hours(20)));
        awaitTold(Channel.EMAIL, "REMINDER SENT");
        assertThat((String) latest(Channel.EMAIL).get("text")).contains("Number: " + appointment);
        assertThat(clinic.number("SELECT count(*) FROM notification WHERE kind = 'REMINDER' AND appointment_id = "
                        + appointment + " AND start_at = '" + later + "'"))
                .isEqualTo(2);
    }

    @Test
    void remindsAgainWhenItIsMovedAfterTheReminder() {
        remindAt(start.minus(hours(24)));
        awaitTold(Channel.EMAIL, "REMINDER SENT");
        Instant later = start.plus(Duration.ofDays(2));
        clinic.move(appointment, clinic.slot(clinic.doctor(), later, 1));

        remindAt(later.minus(hours(24)));

        awaitTold(Channel.EMAIL, "REMINDER SENT", "REMINDER SENT");
        assertThat(mails()).hasSize(2);
    }

    @Test
    void remindsAfterADowntimeUnlessItHasBegun() {
        remindAt(start.minus(hours(48)));
        reminders = justStarted();
        remindAt(start.minus(Duration.ofMinutes(10)));
        awaitTold(Channel.EMAIL, "REMINDER SENT");
    }

    @Test
    void remindsOfNothingThatHasBegun() {
        remindAt(start.minus(hours(48)));
        remindAt(start);
        assertThat(notifications()).isEmpty();
    }

    @Test
    void sendsNoReminderThatWouldArriveAfterTheStart() {
        ON_THE_WAY.cut();
        remindAt(start.minus(hours(20)));
        await().atMost(PATIENCE).until(() -> latest(Channel.EMAIL).containsKey("reason"));
        clock.set(start);
        ON_THE_WAY.resume();

        awaitTold(Channel.EMAIL, "REMINDER SKIPPED");
        assertThat(mails()).isEmpty();
    }

    @Test
    void leavesWhoHasJustBookedAlone() {
        Instant soon = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(hours(5));
        long late = book(clinic.slot(clinic.doctor(), soon, 1));

        remindAt(soon.minus(hours(4)));

        assertThat(clinic.number(
                        "SELECT count(*) FROM notification WHERE kind = 'REMINDER' AND appointment_id = " + late))
                .isZero();
    }

    @Test
    void remindsPatientsOfFlexibleDoctors() {
        long doctor = clinic.doctor();
        clinic.execute(
                ("INSERT INTO appointment (doctor_id, patient_id, status, start_at, end_at, idempotency_key, created_at)"
                                + " VALUES (%d, %d, 'BOOKED', '%s', '%s', 'flexible-%d', now())")
                        .formatted(doctor, patient, start.plus(hours(1)), start.plus(hours(2)), doctor));
        clinic.execute("INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload)"
                + " SELECT 'appointment', id, 'AppointmentHeld', '{}' FROM appointment WHERE doctor_id = " + doctor);

        remindAt(start.minus(hours(20)));

        awaitTold(Channel.EMAIL, "REMINDER SENT", "REMINDER SENT");
    }

    @Test
    void remindsOnceThoughManyInstancesLookAtOnce() {
        clock.set(start.minus(hours(20)));

        Flux.range(0, 8).flatMap(i -> justStarted().remind(), 8).blockLast(PATIENCE);

        awaitTold(Channel.EMAIL, "REMINDER SENT");
        awaitTold(Channel.SMS, "REMINDER SENT");
        assertThat(mails()).hasSize(1);
        assertThat(texts()).hasSize(1);
    }
}
