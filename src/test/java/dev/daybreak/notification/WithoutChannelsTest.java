package dev.daybreak.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import dev.daybreak.outbox.OutboxEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

/** With neither mail server nor gateway, staff see what would be sent, and it is sent once there is one. */
@DaybreakTest
class WithoutChannelsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Autowired
    ApplicationContext service;

    @Test
    void keepsAndShowsMessagesUntilTheyCanBeSent() throws SQLException {
        String database = TestServers.freshDatabase(service); // that no other test's instance sends from
        String notLooking = "daybreak.notification.reminder=0s";
        long patient = Clinic.newPatient();
        long id;
        try (var instance = TestServers.anotherInstance(service, database, notLooking)) {
            Clinic clinic = Clinic.at(instance);
            clinic.send(
                    HttpMethod.PUT,
                    "/api/patients/" + patient + "/contact",
                    Map.of(),
                    Map.of(
                            "email",
                            "waits@example.org",
                            "phone",
                            "+4915112345678",
                            "smsConsent",
                            true,
                            "language",
                            "ja"));
            Instant start = Instant.now().plus(Duration.ofDays(3));
            id = clinic.book(clinic.slot(clinic.doctor(), start, 1), patient, Clinic.newKey())
                    .id();
            instance.getBean(Notifier.class)
                    .consume(new OutboxEvent(
                            UUID.randomUUID(),
                            1,
                            "appointment",
                            "" + id,
                            "AppointmentBooked",
                            "{\"appointmentId\": %d, \"patientId\": %d, \"startAt\": \"%s\", \"endAt\": \"%s\"}"
                                    .formatted(
                                            id, patient, stored(clinic, "start_at", id), stored(clinic, "end_at", id)),
                            Instant.now()))
                    .block(PATIENCE);

            assertThat(listed(clinic, "?status=PENDING&patientId=" + patient))
                    .allSatisfy(each -> assertThat(each).containsEntry("status", "PENDING"))
                    .anySatisfy(each -> assertThat(each)
                            .containsEntry("channel", "EMAIL")
                            .containsEntry("to", "waits@example.org")
                            .containsEntry("reason", "No channel: spring.mail.host is not set")
                            .hasEntrySatisfying(
                                    "text", text -> assertThat((String) text).contains("ご予約を承りました。")))
                    .anySatisfy(each -> assertThat(each)
                            .containsEntry("channel", "SMS")
                            .containsEntry("reason", "No channel: daybreak.sms.url is not set")
                            .hasEntrySatisfying(
                                    "text", text -> assertThat((String) text).startsWith("予約完了: ")));
        }

        var gateway = new SmsGateway();
        try (var instance =
                TestServers.anotherInstance(service, database, notLooking, "daybreak.sms.url=" + gateway.url())) {
            await().atMost(PATIENCE).until(() -> !gateway.received().isEmpty());
            await().atMost(PATIENCE)
                    .until(() -> listed(Clinic.at(instance), "?status=SENT").stream()
                            .anyMatch(each -> each.get("channel").equals("SMS")));
        }
    }

    @Test
    void removesMessagesSomeTimeAfterTheyWereMadeAndTheirAppointmentWasDue() throws SQLException {
        String database = TestServers.freshDatabase(service);
        try (var instance = TestServers.anotherInstance(service, database, "daybreak.notification.retention=10d")) {
            Clinic clinic = Clinic.at(instance);
            clinic.execute("""
                    INSERT INTO notification (event_id, channel, kind, appointment_id, patient_id, start_at, end_at, status, created_at,
                                              next_attempt_at)
                    SELECT gen_random_uuid(), 'EMAIL', 'BOOKED', n, n, due, due + interval '15 minutes',
                           CASE WHEN n % 2 = 0 THEN 'PENDING' ELSE 'SENT' END, made, CASE WHEN n % 2 = 0 THEN made END
                    FROM generate_series(1, 2504) n,
                         LATERAL (SELECT now() - CASE WHEN n > 2502 THEN interval '9 days' ELSE interval '11 days' END AS made) m,
                         LATERAL (SELECT CASE WHEN n BETWEEN 2 AND 3 THEN now() - interval '9 days' ELSE m.made END AS due) d""");

            instance.getBean(NotificationPruner.class).prune().block(PATIENCE);

            assertThat(clinic.number("SELECT count(*) FROM notification WHERE appointment_id IN (2, 3)"))
                    .as("old, of an appointment that is not")
                    .isEqualTo(2);
            assertThat(clinic.number("SELECT count(*) FROM notification WHERE appointment_id > 2502"))
                    .as("not old")
                    .isEqualTo(2);
            assertThat(clinic.number("SELECT count(*) FROM notification")).isEqualTo(4);
        }
    }

    private static String stored(Clinic clinic, String column, long appointment) {
        long micros = clinic.number("SELECT (extract(epoch FROM " + column
                + ") * 1000000)::bigint FROM appointment WHERE id = " + appointment);
        return Instant.EPOCH.plus(Duration.ofNanos(micros * 1_000)).toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"?status=LOST", "?patientId=0", "?limit=0", "?limit=1000000", "?since=1", "?status="})
    void refusesAQuestionItDoesNotUnderstand(String query) {
        assertThat(Clinic.at(service).get("/api/admin/notifications" + query).is(400))
                .isTrue();
    }

    @Test
    void listsAtMostWhatIsAskedFor() {
        assertThat(listed(Clinic.at(service), "?limit=1")).hasSizeLessThanOrEqualTo(1);
        assertThat(listed(Clinic.at(service), "?patientId=" + Clinic.newPatient()))
                .isEmpty();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> listed(Clinic clinic, String query) {
        return (List<Map<String, Object>>)
                clinic.get("/api/admin/notifications" + query).body().get("list");
    }
}
