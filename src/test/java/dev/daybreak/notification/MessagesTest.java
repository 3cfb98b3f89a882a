package dev.daybreak.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.outbox.OutboxEvent;
import jakarta.mail.BodyPart;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.MimeMessage;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;

/** What patients are told about their appointments, as it arrives. */
class MessagesTest extends PostOffice {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @ParameterizedTest
    @CsvSource({"2031-07-15T09:00, +02:00, 20310715T070000Z", "2031-01-15T09:00, +01:00, 20310115T080000Z"})
    void statesTheSameInstantInMailTextMessageAndCalendarFile(LocalDateTime inBerlin, String offset, String inUtc)
            throws Exception {
        Instant start = inBerlin.atZone(BERLIN).toInstant();
        long appointment = book(clinic.slot(clinic.doctor(), start, 1));

        deliver(appointment);

        awaitTold(Channel.EMAIL, "BOOKED SENT");
        awaitTold(Channel.SMS, "BOOKED SENT");
        String zone = "(Europe/Berlin, UTC" + offset + ")";
        MimeMessage mail = mails()[0];
        Parts parts = Parts.of(mail);
        assertThat(mail.getSubject()).contains("2031, 09:00 " + zone);
        assertThat(parts.text).contains("2031, 09:00\u201309:15 " + zone).contains("Number: " + appointment);
        assertThat(parts.html).contains("09:00").contains(zone).contains("lang=\"en\"");
        assertThat(parts.calendar).contains("DTSTART:" + inUtc).contains("METHOD:PUBLISH");
        assertThat(texts())
                .singleElement()
                .satisfies(sms -> assertThat(sms)
                        .containsOnlyKeys("to", "text", "id")
                        .hasEntrySatisfying(
                                "text", text -> assertThat((String) text).contains("2031, 09:00 " + zone)));
        assertThat(clinic.get("/api/appointments/" + appointment).body()).containsEntry("startAt", start.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "en, Your appointment is booked., Wednesday 15 January 2031",
        "ko, 예약이 완료되었습니다., 2031년 1월 15일 수요일 09:00",
        "ja, ご予約を承りました。, 2031年1月15日(水) 09:00"
    })
    void speaksThePatientsLanguage(String language, String lead, String day) throws Exception {
        reachable(language, true);
        Instant start = LocalDateTime.parse("2031-01-15T09:00").atZone(BERLIN).toInstant();

        deliver(book(clinic.slot(clinic.doctor(), start, 1)));

        awaitTold(Channel.EMAIL, "BOOKED SENT");
        awaitTold(Channel.SMS, "BOOKED SENT");
        Parts parts = Parts.of(mails()[0]);
        assertThat(parts.text).contains(lead).contains(day).contains("Europe/Berlin, UTC+01:00");
        assertThat(parts.html).contains(lead).contains("lang=\"" + language + "\"");
        assertThat((String) texts().getFirst().get("text")).contains(day).contains("Europe/Berlin, UTC+01:00");
    }

    @Test
    void makesOneMessageOfAnEventThatComesThreeTimes() {
        long appointment = book(slotInDays(3));

        deliver(appointment);
        deliver(appointment);
        awaitTold(Channel.EMAIL, "BOOKED SENT");
        awaitTold(Channel.SMS, "BOOKED SENT");
        deliver(appointment);

        await().during(Duration.ofMillis(500)).atMost(PATIENCE).untilAsserted(() -> {
            assertThat(mails()).hasSize(1);
            assertThat(texts()).hasSize(1);
        });
        assertThat(told(Channel.EMAIL)).containsExactly("BOOKED SENT");
    }

    @Test
    void makesOneMessageAChannelOfEachChangeAndTheCalendarFollows() throws Exception {
        long appointment = book(slotInDays(3));
        deliver(appointment);
        awaitTold(Channel.EMAIL, "BOOKED SENT");
        clinic.move(appointment, slotInDays(4));
        deliver(appointment);
        awaitTold(Channel.EMAIL, "BOOKED SENT", "MOVED SENT");
        clinic.cancel(appointment);
        deliver(appointment);
        awaitTold(Channel.EMAIL, "BOOKED SENT", "MOVED SENT", "CANCELLED SENT");
        awaitTold(Channel.SMS, "BOOKED SENT", "MOVED SENT", "CANCELLED SENT");

        assertThat(texts()).hasSize(3);
        MimeMessage[] mails = mails();
        assertThat(mails).hasSize(3);
        String uid = "UID:appointment-" + appointment + "@daybreak";
        assertThat(Parts.of(mails[0]).calendar).contains(uid, "SEQUENCE:0", "METHOD:PUBLISH");
        assertThat(Parts.of(mails[1]).calendar).contains(uid, "SEQUENCE:1", "METHOD:PUBLISH");
        assertThat(Parts.of(mails[1]).text).contains("Before: ");
        Parts cancelled = Parts.of(mails[2]);
        assertThat(cancelled.calendar).contains(uid, "SEQUENCE:2", "METHOD:CANCEL", "STATUS:CANCELLED");
        assertThat(cancelled.calendarType).contains("method=CANCEL");
    }

    @Test
    void tellsOfAHoldOnlyWhenItIsConfirmed() {
        long slot = slotInDays(3);
        var hold = clinic.hold(slot, patient, Clinic.newKey());
        deliver(hold.id());
        assertThat(notifications()).isEmpty();

        clinic.confirm(hold.id(), hold.token());
        deliver(hold.id());

        awaitTold(Channel.EMAIL, "CONFIRMED SENT");
        awaitTold(Channel.SMS, "CONFIRMED SENT");
        assertThat(mails()).hasSize(1);
    }

    @Test
    void tellsNothingOfAHoldThatWasGivenBackCancelledOrExpired() {
        var released = clinic.hold(slotInDays(3), patient, Clinic.newKey());
        clinic.release(released.id(), released.token());
        deliver(released.id());
        assertThat(notifications()).isEmpty();

        var cancelled = clinic.hold(slotInDays(4), patient, Clinic.newKey());
        clinic.cancel(cancelled.id());
        deliver(cancelled.id());
        awaitTold(Channel.EMAIL, "CANCELLED SKIPPED");
        assertThat(latest(Channel.EMAIL)).containsEntry("reason", Relevance.NEVER_BOOKED);

        var expired = clinic.hold(slotInDays(5), patient, Clinic.newKey());
        clinic.execute("UPDATE appointment SET hold_expires_at = created_at WHERE id = " + expired.id());
        await().atMost(PATIENCE)
                .until(() -> events("aggregatetype = 'appointment' AND aggregateid = '" + expired.id() + "'")
                                .size()
                        == 2);
        deliver(expired.id());
        assertThat(told(Channel.EMAIL)).hasSize(1);
        assertThat(mails()).isEmpty();
    }

    @Test
    void confirmsNothingThatHasBeenCancelledOrMovedSince() {
        ON_THE_WAY.cut();
        long cancelled = book(slotInDays(3));
        clinic.cancel(cancelled);
        deliver(cancelled);
        ON_THE_WAY.resume();
        awaitTold(Channel.EMAIL, "BOOKED SKIPPED", "CANCELLED SENT");

        ON_THE_WAY.cut();
        long moved = book(slotInDays(3));
        clinic.move(moved, slotInDays(4));
        deliver(moved);
        ON_THE_WAY.resume();

        awaitTold(Channel.EMAIL, "BOOKED SKIPPED", "CANCELLED SENT", "BOOKED SKIPPED", "MOVED SENT");
        assertThat(notifications()).anySatisfy(each -> assertThat(each).containsEntry("reason", Relevance.MOVED));
        assertThat(notifications()).anySatisfy(each -> assertThat(each).containsEntry("reason", Relevance.ENDED));
    }

    @Test
    void confirmsNothingThatHasBegun() {
        ON_THE_WAY.cut();
        long appointment = book(slotInDays(3));
        clock.set(Instant.now().plus(Duration.ofDays(4)));

        deliver(appointment);
        ON_THE_WAY.resume();

        awaitTold(Channel.EMAIL, "BOOKED SKIPPED");
        assertThat(latest(Channel.EMAIL)).containsEntry("reason", Relevance.BEGUN);
    }

    @Test
    void sendsNoTextMessageWithoutConsentOrNumberAndNoMailWithoutAddress() {
        reachable("en", false);
        deliver(book(slotInDays(3)));
        awaitTold(Channel.EMAIL, "BOOKED SENT");
        assertThat(latest(Channel.SMS))
                .containsEntry("status", "SKIPPED")
                .containsEntry("reason", Relevance.NO_CONSENT);

        putContact(Map.of("email", email, "smsConsent", true));
        deliver(book(slotInDays(4)));
        assertThat(latest(Channel.SMS)).containsEntry("status", "SKIPPED").containsEntry("reason", Relevance.NO_PHONE);

        putContact(Map.of("phone", phone, "smsConsent", true));
        deliver(book(slotInDays(5)));
        assertThat(latest(Channel.EMAIL))
                .containsEntry("status", "SKIPPED")
                .containsEntry("reason", Relevance.NO_EMAIL);
        await().atMost(PATIENCE).until(() -> latest(Channel.SMS).get("status").equals("SENT"));
        assertThat(texts()).hasSize(1);
    }

    @Test
    void asksForConsentAgainWhenItSends() {
        GATEWAY.behave(SmsGateway.Behaviour.FAIL);
        ON_THE_WAY.cut();
        deliver(book(slotInDays(3)));
        await().atMost(PATIENCE).until(() -> (int) latest(Channel.SMS).get("attempts") > 0);

        clinic.send(HttpMethod.DELETE, "/api/patients/" + patient + "/contact", Map.of(), null);
        GATEWAY.behave(SmsGateway.Behaviour.ACCEPT);
        ON_THE_WAY.resume();

        awaitTold(Channel.SMS, "BOOKED SKIPPED");
        awaitTold(Channel.EMAIL, "BOOKED SKIPPED");
        assertThat(texts()).isEmpty();
        assertThat(mails()).isEmpty();
    }

    @Test
    void escapesWhatADoctorIsCalled() throws Exception {
        long doctor = clinic.number("INSERT INTO doctor (name, specialty) VALUES"
                + " ('Dr. <b>Łucja</b> & {number} Müller', 'Ear, nose and throat') RETURNING id");
        deliver(book(clinic.slot(doctor, Instant.now().plus(Duration.ofDays(3)), 1)));

        awaitTold(Channel.EMAIL, "BOOKED SENT");
        Parts parts = Parts.of(mails()[0]);
        assertThat(parts.text).contains("Dr. <b>Łucja</b> & {number} Müller (Ear, nose and throat)");
        assertThat(parts.html)
                .contains("Dr. &lt;b&gt;Łucja&lt;/b&gt; &amp; {number} Müller")
                .doesNotContain("<b>");
    }

    @Test
    void leavesEventsOfOthersAlone() {
        deliver(notifier, List.of(event("ReservationCreated", "{\"roomId\": 1}")), 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "nonsense",
                "{\"appointmentId\": 1, \"patientId\": \"x\"}",
                "{\"appointmentId\": 1, \"patientId\": 2, \"startAt\": \"soon\", \"endAt\": \"later\"}"
            })
    void refusesAMalformedEventAndTakesTheNext(String payload) {
        assertThatThrownBy(() -> deliver(notifier, List.of(event("AppointmentBooked", payload)), 1));

        deliver(book(slotInDays(3)));

        awaitTold(Channel.EMAIL, "BOOKED SENT");
    }

    private static OutboxEvent event(String type, String payload) {
        return new OutboxEvent(UUID.randomUUID(), 1, "appointment", "1", type, payload, Instant.now());
    }

    /** A mail taken apart. */
    static final class Parts {

        String text = "";
        String html = "";
        String calendar = "";
        String calendarType = "";

        static Parts of(MimeMessage mail) throws Exception {
            var parts = new Parts();
            for (Part leaf : leaves(mail)) {
                String content;
                try (InputStream in = leaf.getInputStream()) {
                    content = new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n ", "");
                }
                if (leaf.isMimeType("text/plain")) {
                    parts.text = content.replace("\r\n", "\n");
                } else if (leaf.isMimeType("text/html")) {
                    parts.html = content;
                } else if (leaf.isMimeType("text/calendar")) {
                    parts.calendar = content;
                    parts.calendarType = leaf.getContentType();
                }
            }
            return parts;
        }

        private static List<Part> leaves(Part part) throws Exception {
            var leaves = new ArrayList<Part>();
            if (part.getContent() instanceof Multipart multipart) {
                for (int i = 0; i < multipart.getCount(); i++) {
                    BodyPart inner = multipart.getBodyPart(i);
                    leaves.addAll(leaves(inner));
                }
            } else {
                leaves.add(part);
            }
            return leaves;
        }
    }
}
