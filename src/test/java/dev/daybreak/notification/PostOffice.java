package dev.daybreak.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import dev.daybreak.MutableClock;
import dev.daybreak.outbox.OutboxEvent;
import jakarta.mail.internet.MimeMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import reactor.core.publisher.Flux;

/**
 * The service with a mail server and an SMS gateway, one of each for the whole run, so that it does not matter which test's service
 * sends a message. What is asserted is what arrives there, and the committed rows.
 */
@DaybreakTest
abstract class PostOffice {

    static final GreenMail MAIL = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    static final FaultyProxy ON_THE_WAY;
    static final SmsGateway GATEWAY = new SmsGateway();
    static final Duration PATIENCE = Duration.ofSeconds(30);

    static {
        MAIL.start();
        ON_THE_WAY = FaultyProxy.to("127.0.0.1", MAIL.getSmtp().getPort());
    }

    @Autowired
    ApplicationContext service;

    @Autowired
    Notifier notifier;

    @Autowired
    MutableClock clock;

    Clinic clinic;
    long patient;
    String email;
    String phone;

    static List<String> properties() {
        return List.of(
                "spring.mail.host=127.0.0.1",
                "spring.mail.port=" + ON_THE_WAY.port(),
                "daybreak.sms.url=" + GATEWAY.url(),
                "daybreak.sms.timeout=500ms",
                "daybreak.notification.from=Clinic <clinic@example.org>",
                "daybreak.notification.poll=50ms",
                "daybreak.notification.backoff=200ms",
                "daybreak.notification.max-backoff=1s",
                "daybreak.notification.max-attempts=5",
                "daybreak.notification.reminder-check=1h");
    }

    @DynamicPropertySource
    static void addresses(DynamicPropertyRegistry registry) {
        properties().forEach(property -> {
            int equals = property.indexOf('=');
            registry.add(property.substring(0, equals), () -> property.substring(equals + 1));
        });
    }

    @BeforeEach
    void aPatientWhoCanBeReached() {
        clinic = Clinic.at(service);
        patient = Clinic.newPatient();
        email = "p" + patient + "@patients.example";
        phone = "+49" + Long.toString(1_000_000_000L + patient % 1_000_000_000L);
        reachable("en", true);
    }

    @AfterEach
    void asBefore() {
        clock.reset();
        ON_THE_WAY.resume();
        GATEWAY.behave(SmsGateway.Behaviour.ACCEPT);
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    void reachable(String language, boolean smsConsent) {
        putContact(Map.of("email", email, "phone", phone, "language", language, "smsConsent", smsConsent));
    }

    void putContact(Map<String, Object> contact) {
        var answer = clinic.send(HttpMethod.PUT, "/api/patients/" + patient + "/contact", Map.of(), contact);
        assertThat(answer.is(200)).as("%s", answer).isTrue();
    }

    /** A slot so far ahead that nobody is reminded of it yet. */
    long slotInDays(int days) {
        return clinic.slot(clinic.doctor(), Instant.now().plus(Duration.ofDays(days)), 5);
    }

    long book(long slot) {
        var answer = clinic.book(slot, patient, Clinic.newKey());
        assertThat(answer.is(201)).as("%s", answer).isTrue();
        return answer.id();
    }

    /** Hands the events of an appointment to the notifier, as the relay does. */
    void deliver(long appointment) {
        deliver(notifier, events("aggregatetype = 'appointment' AND aggregateid = '" + appointment + "'"), 1);
    }

    void deliver(Notifier to, List<OutboxEvent> events, int atOnce) {
        Flux.fromIterable(events)
                .flatMapSequential(to::consume, atOnce)
                .then()
                .block(PATIENCE.plusMillis(10L * events.size()));
    }

    List<OutboxEvent> events(String condition) {
        return service.getBean(DatabaseClient.class)
                .sql(
                        "SELECT id, seq, aggregatetype, aggregateid, type, payload::text AS payload, created_at FROM outbox_event"
                                + " WHERE " + condition + " ORDER BY seq")
                .map(row -> new OutboxEvent(
                        Objects.requireNonNull(row.get("id", UUID.class)),
                        Objects.requireNonNull(row.get("seq", Long.class)),
                        Objects.requireNonNull(row.get("aggregatetype", String.class)),
                        Objects.requireNonNull(row.get("aggregateid", String.class)),
                        Objects.requireNonNull(row.get("type", String.class)),
                        Objects.requireNonNull(row.get("payload", String.class)),
                        Objects.requireNonNull(row.get("created_at", Instant.class))))
                .all()
                .collectList()
                .block(PATIENCE);
    }

    /** The patient's messages as staff see them, the latest first. */
    @SuppressWarnings("unchecked")
    List<Map<String, Object>> notifications() {
        return (List<Map<String, Object>>) clinic.get("/api/admin/notifications?patientId=" + patient)
                .body()
                .get("list");
    }

    /** Kind and status of the patient's messages by a channel, in the order in which they were made. */
    List<String> told(Channel channel) {
        return notifications().reversed().stream()
                .filter(each -> each.get("channel").equals(channel.name()))
                .map(each -> each.get("kind") + " " + each.get("status"))
                .toList();
    }

    Map<String, Object> latest(Channel channel) {
        return notifications().stream()
                .filter(each -> each.get("channel").equals(channel.name()))
                .findFirst()
                .orElseThrow();
    }

    void awaitTold(Channel channel, String... kindsAndStatuses) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(told(channel)).containsExactly(kindsAndStatuses));
    }

    MimeMessage[] mails() {
        return MAIL.getReceivedMessagesForDomain(email);
    }

    List<Map<String, Object>> texts() {
        return GATEWAY.received(phone);
    }
}
