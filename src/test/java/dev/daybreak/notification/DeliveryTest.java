package dev.daybreak.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.TestServers;
import dev.daybreak.notification.SmsGateway.Behaviour;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpMethod;

/** Servers that are away, slow or mad, instances that die or share the work. */
@ExtendWith(OutputCaptureExtension.class)
class DeliveryTest extends PostOffice {

    @Test
    void booksWhileTheMailServerIsAwayAndTheMessageFollows() {
        ON_THE_WAY.cut();
        long appointment = book(slotInDays(3));
        deliver(appointment);
        await().atMost(PATIENCE).until(() -> latest(Channel.EMAIL).containsKey("reason"));
        assertThat(latest(Channel.EMAIL)).containsEntry("status", "PENDING").containsKey("nextAttemptAt");
        assertThat((String) latest(Channel.EMAIL).get("reason")).startsWith("The mail server did not take it");
        awaitTold(Channel.SMS, "BOOKED SENT");

        ON_THE_WAY.resume();

        awaitTold(Channel.EMAIL, "BOOKED SENT");
        assertThat(mails()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Behaviour.class,
            names = {"FAIL", "HANG", "REDIRECT", "NONSENSE"})
    void sendsTheMailWhateverTheGatewayDoesAndGivesUpInTheEnd(Behaviour behaviour, CapturedOutput log) {
        GATEWAY.behave(behaviour);
        deliver(book(slotInDays(3)));

        awaitTold(Channel.EMAIL, "BOOKED SENT");
        awaitTold(Channel.SMS, "BOOKED FAILED");

        assertThat(latest(Channel.SMS)).containsEntry("attempts", 5).doesNotContainKey("nextAttemptAt");
        assertThat((String) latest(Channel.SMS).get("reason")).startsWith("The SMS gateway");
        assertThat((String) latest(Channel.SMS).get("text")).startsWith("Booked: ");
        assertThat(log.getAll())
                .contains("has failed after 5 attempts")
                .doesNotContain(phone)
                .doesNotContain(email);

        GATEWAY.behave(Behaviour.ACCEPT);
        Answer retried = retry(latest(Channel.SMS).get("id"));
        assertThat(retried.is(200)).as("%s", retried).isTrue();
        awaitTold(Channel.SMS, "BOOKED SENT");
        assertThat(texts()).hasSize(1);
        assertThat(retry(latest(Channel.SMS).get("id")).code()).isEqualTo("NOTIFICATION_NOT_FAILED");
    }

    @Test
    void countsAsSentWhatTheGatewayTookHoweverItRambles() {
        GATEWAY.behave(Behaviour.ACCEPT_AND_RAMBLE);
        deliver(book(slotInDays(3)));

        awaitTold(Channel.SMS, "BOOKED SENT");
        assertThat(texts()).hasSize(1);
    }

    @Test
    void retriesOnlyWhatThereIs() {
        assertThat(retry(Long.MAX_VALUE).code()).isEqualTo("NOTIFICATION_NOT_FOUND");
        assertThat(retry("x").is(400)).isTrue();
    }

    @Test
    void keepsTheOrderOfOneAppointmentThoughTheFirstMessageHasToWait() {
        GATEWAY.behave(Behaviour.FAIL);
        long appointment = book(slotInDays(3));
        deliver(appointment);
        await().atMost(PATIENCE).until(() -> latest(Channel.SMS).containsKey("reason"));
        deliverCancellationOf(appointment);

        GATEWAY.behave(Behaviour.ACCEPT);

        awaitTold(Channel.SMS, "BOOKED SKIPPED", "CANCELLED SENT");
        assertThat(texts()).hasSize(1);
    }

    private void deliverCancellationOf(long appointment) {
        clinic.cancel(appointment);
        deliver(appointment);
    }

    @Test
    void takesOverWhatAnotherInstanceClaimedBeforeItDied() {
        ON_THE_WAY.cut();
        GATEWAY.behave(Behaviour.FAIL);
        deliver(book(slotInDays(3)));
        await().atMost(PATIENCE).until(() -> latest(Channel.SMS).containsKey("reason"));
        // As the rows are left by an instance that is killed after it claimed them.
        clinic.execute("UPDATE notification SET attempts = 1, next_attempt_at = now() + interval '2 minutes'"
                + " WHERE status = 'PENDING' AND patient_id = " + patient);
        GATEWAY.behave(Behaviour.ACCEPT);
        ON_THE_WAY.resume();
        await().during(Duration.ofMillis(300))
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(told(Channel.SMS)).containsExactly("BOOKED PENDING"));

        clock.set(Instant.now().plus(Duration.ofMinutes(3)));

        awaitTold(Channel.SMS, "BOOKED SENT");
        awaitTold(Channel.EMAIL, "BOOKED SENT");
        assertThat(latest(Channel.SMS)).containsEntry("attempts", 2);
        assertThat(texts()).hasSize(1);
    }

    @Test
    void countsWhatBecomesOfMessages() {
        var meters = service.getBean(MeterRegistry.class);
        double sent = count(meters, "sent", "email");
        reachable("en", false);

        deliver(book(slotInDays(3)));

        awaitTold(Channel.EMAIL, "BOOKED SENT");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(count(meters, "sent", "email")).isGreaterThanOrEqualTo(sent + 1));
        // Counted by whichever instance got the event.
        assertThat(meters.find("daybreak.notification.skipped").counters()).hasSize(2);
        assertThat(meters.find("daybreak.notification.pending").gauges()).hasSize(2);
    }

    private static double count(MeterRegistry meters, String what, String channel) {
        return meters.get("daybreak.notification." + what)
                .tag("channel", channel)
                .counter()
                .count();
    }

    @Test
    void sendsEveryMessageOnceThoughTwoInstancesGetAllEvents() {
        int patients = 1_500;
        long first = Clinic.newPatient() + 1_000_000;
        long slot = clinic.slot(clinic.doctor(), Instant.now().plus(Duration.ofDays(3)), patients);
        clinic.execute("UPDATE time_slot SET booked_count = capacity WHERE id = " + slot);
        clinic.execute("INSERT INTO appointment (slot_id, patient_id, status, start_at, end_at, idempotency_key,"
                + " requested_slot_id, created_at) SELECT s.id, %d + i, 'BOOKED', s.start_at, s.end_at, 'many-' || s.id || '-' || i,"
                        .formatted(first)
                + " s.id, now() FROM time_slot s, generate_series(1, %d) i WHERE s.id = %d".formatted(patients, slot));
        clinic.execute("INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)"
                + " SELECT 'appointment', id, 'AppointmentBooked', jsonb_build_object('appointmentId', id, 'slotId', slot_id,"
                + " 'patientId', patient_id, 'startAt', start_at, 'endAt', end_at), created_at FROM appointment WHERE slot_id = "
                + slot);
        String domain = "many-" + slot + ".example";
        clinic.execute(
                "INSERT INTO patient_contact SELECT patient_id, 'p' || patient_id || '@%s', '+4999' || patient_id %% 10000000000,"
                                .formatted(domain)
                        + " 'en', true, now() FROM appointment WHERE slot_id = " + slot);
        var events = events("aggregateid IN (SELECT id::text FROM appointment WHERE slot_id = " + slot + ")");
        assertThat(events).hasSize(patients);

        try (var other = TestServers.anotherInstance(service, properties().toArray(String[]::new))) {
            var both = Stream.of(notifier, other.getBean(Notifier.class))
                    .map(each -> Thread.ofVirtual().start(() -> deliver(each, events, 200)))
                    .toList();
            both.forEach(DeliveryTest::join);
            String open = "SELECT count(*) FROM notification n JOIN appointment a ON a.id = n.appointment_id"
                    + " WHERE n.status = 'PENDING' AND a.slot_id = " + slot;
            await().atMost(Duration.ofSeconds(120)).until(() -> clinic.number(open) == 0);
        }

        assertThat(clinic.number("SELECT count(*) FROM notification n JOIN appointment a ON a.id = n.appointment_id"
                        + " WHERE n.status = 'SENT' AND n.attempts = 1 AND a.slot_id = " + slot))
                .isEqualTo(2L * patients);
        List<String> recipients = Arrays.stream(MAIL.getReceivedMessagesForDomain(domain))
                .map(DeliveryTest::recipient)
                .toList();
        assertThat(recipients).hasSize(patients);
        assertThat(new HashSet<>(recipients)).hasSize(patients);
        List<Object> numbers = GATEWAY.received().stream()
                .map(sms -> sms.get("to"))
                .filter(to -> to.toString().startsWith("+4999"))
                .toList();
        assertThat(numbers).hasSize(patients);
        assertThat(new HashSet<>(numbers)).hasSize(patients);
    }

    private static void join(Thread thread) {
        try {
            assertThat(thread.join(PATIENCE)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String recipient(jakarta.mail.internet.MimeMessage mail) {
        try {
            return mail.getAllRecipients()[0].toString();
        } catch (jakarta.mail.MessagingException e) {
            throw new AssertionError(e);
        }
    }

    private Answer retry(Object id) {
        return clinic.send(HttpMethod.POST, "/api/admin/notifications/" + id + "/retry", Map.of(), null);
    }
}
