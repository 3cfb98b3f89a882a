package dev.daybreak.notification;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.TestServers;
import dev.daybreak.notification.SmsGateway.Behaviour;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
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
        assertThat(clinic.number(
                        "SELECT count(*) FROM audit_entry WHERE action = 'notification.retry' AND subject_id = "
                                + retried.id()))
                .isEqualTo(1);
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
        // As the rows are left by an instance that is killed after it claimed them; not while this one has.
        String claimed =
                "WITH claimed AS (UPDATE notification SET attempts = 1, next_attempt_at = now() + interval '2 minutes'"
                        + " WHERE status = 'PENDING' AND next_attempt_at < now() + interval '1 minute' AND patient_id = "
                        + patient
                        + " RETURNING 1) SELECT count(*) FROM claimed";
        var left = new AtomicLong();
        await().atMost(PATIENCE).until(() -> left.addAndGet(clinic.number(claimed)) == 2);
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

    /**
     * Both relays carry the events, and each notifier gets all of them once more. {@code -Ddaybreak.test.events=10000} for that many;
     * the default only shows that it works.
     */
    @Test
    void sendsEveryMessageOnceAndInOrderThoughTwoInstancesGetAllEvents() {
        int patients = Integer.getInteger("daybreak.test.events", 1_500) / 2;
        Duration limit = PATIENCE.plusMillis(40L * patients);
        long first = Clinic.newPatient() + 1_000_000;
        long slot = clinic.slot(clinic.doctor(), Instant.now().plus(Duration.ofDays(3)), patients);
        String domain = "many-" + slot + ".example";
        clinic.execute("UPDATE time_slot SET booked_count = capacity WHERE id = " + slot);
        clinic.execute(
                "INSERT INTO patient_contact SELECT %d + i, 'p' || i || '@%s', '+4999' || %d + i, 'en', true, now() FROM generate_series(1, %d) i"
                        .formatted(first, domain, slot * 1_000_000, patients));
        // As if each had held the seat, and confirmed it before: what is said is true when it is sent.
        clinic.execute("""
                WITH booked AS (
                    INSERT INTO appointment (slot_id, patient_id, status, start_at, end_at, idempotency_key, requested_slot_id, created_at,
                                             revision)
                    SELECT s.id, %d + i, 'BOOKED', s.start_at, s.end_at, 'many-' || s.id || '-' || i, s.id, now(), 2
                    FROM time_slot s, generate_series(1, %d) i WHERE s.id = %d
                    RETURNING *)
                INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
                SELECT 'appointment', id, type, jsonb_build_object('appointmentId', id, 'slotId', slot_id, 'patientId', patient_id,
                                                                   'startAt', start_at, 'endAt', end_at), created_at
                FROM booked, unnest(ARRAY['AppointmentBooked', 'AppointmentConfirmed']) WITH ORDINALITY t (type, nth) ORDER BY nth, id""".formatted(first, patients, slot));
        String ofSlot =
                "aggregatetype = 'appointment' AND aggregateid IN (SELECT id::text FROM appointment WHERE slot_id = "
                        + slot + ")";
        var events = events(ofSlot);
        assertThat(events).hasSize(2 * patients);

        try (var other = TestServers.anotherInstance(service, properties().toArray(String[]::new))) {
            long start = System.nanoTime();
            var both = Stream.of(notifier, other.getBean(Notifier.class))
                    .map(each -> Thread.ofVirtual().start(() -> deliver(each, events, 200)))
                    .toList();
            both.forEach(thread -> join(thread, limit));
            await().atMost(limit)
                    .until(() ->
                            clinic.number("SELECT count(*) FROM outbox_event WHERE published_at IS NULL AND " + ofSlot)
                                    == 0);
            String open = "SELECT count(*) FROM notification n JOIN appointment a ON a.id = n.appointment_id"
                    + " WHERE n.status = 'PENDING' AND a.slot_id = " + slot;
            await().atMost(limit).until(() -> clinic.number(open) == 0);
            System.out.printf(
                    "%,d messages of %,d events by two instances: %,.0f a second%n",
                    4 * patients, 2 * patients, 4 * patients / ((System.nanoTime() - start) / 1e9));
        }

        assertThat(clinic.number("SELECT count(*) FROM notification n JOIN appointment a ON a.id = n.appointment_id"
                        + " WHERE n.status = 'SENT' AND n.attempts = 1 AND a.slot_id = " + slot))
                .isEqualTo(4L * patients);
        Map<String, List<String>> mails = Arrays.stream(MAIL.getReceivedMessagesForDomain(domain))
                .collect(groupingBy(DeliveryTest::recipient, mapping(DeliveryTest::leadOf, toList())));
        assertThat(mails).hasSize(patients);
        assertThat(mails.values())
                .allSatisfy(leads -> assertThat(leads)
                        .containsExactly("Your appointment is booked.", "Your appointment is confirmed."));
        Map<Object, List<String>> texts = GATEWAY.received().stream()
                .filter(sms -> sms.get("to").toString().startsWith("+4999"))
                .collect(groupingBy(sms -> sms.get("to"), mapping(DeliveryTest::beginningOf, toList())));
        assertThat(texts).hasSize(patients);
        assertThat(texts.values())
                .allSatisfy(beginnings -> assertThat(beginnings).containsExactly("Booked", "Confirmed"));
    }

    private static String leadOf(MimeMessage mail) {
        try {
            return MessagesTest.Parts.of(mail).text.lines().findFirst().orElseThrow();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String beginningOf(Map<String, Object> sms) {
        String text = sms.get("text").toString();
        return text.substring(0, text.indexOf(':'));
    }

    private static void join(Thread thread, Duration limit) {
        try {
            assertThat(thread.join(limit)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String recipient(MimeMessage mail) {
        try {
            return mail.getAllRecipients()[0].toString();
        } catch (MessagingException e) {
            throw new AssertionError(e);
        }
    }

    private Answer retry(Object id) {
        return clinic.send(HttpMethod.POST, "/api/admin/notifications/" + id + "/retry", Map.of(), null);
    }
}
