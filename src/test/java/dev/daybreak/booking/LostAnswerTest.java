package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

/** A patient whose connection breaks after the request was sent does not know whether they have the seat. Asking again tells. */
@DaybreakTest
class LostAnswerTest {

    @Autowired
    ApplicationContext service;

    @LocalServerPort
    int port;

    Clinic clinic;
    long slot;
    long patient;
    String key;

    @BeforeEach
    void aPatientAndTheLastSeat() {
        clinic = Clinic.at(service);
        slot = clinic.slot(1);
        patient = Clinic.newPatient();
        key = Clinic.newKey();
    }

    /** How a connection ends. */
    private interface Ending {
        void of(Socket connection) throws IOException;
    }

    @RepeatedTest(10)
    void isFoundAgainAfterTheConnectionWasClosed() throws IOException {
        send(Socket::close);

        retryFindsIt();
    }

    @RepeatedTest(10)
    void isFoundAgainAfterTheConnectionWasReset() throws IOException {
        send(connection -> {
            connection.setSoLinger(true, 0); // close then sends RST, not FIN
            connection.close();
        });

        retryFindsIt();
    }

    @RepeatedTest(10)
    void isFoundAgainAfterTheClientStoppedSending() throws IOException {
        send(connection -> {
            connection.shutdownOutput();
            connection.setSoTimeout(2_000);
            readAll(connection);
            connection.close();
        });

        retryFindsIt();
    }

    @RepeatedTest(5)
    void isFoundAgainWhenItWasCommittedButNeverRead() throws IOException {
        send(connection -> {
            await().atMost(Duration.ofSeconds(10)).until(() -> clinic.active(slot) == 1);
            connection.setSoLinger(true, 0);
            connection.close();
        });

        Answer retried = clinic.book(slot, patient, key);

        assertThat(retried.is(200)).as("%s", retried).isTrue();
        assertOneAppointment(retried);
    }

    @RepeatedTest(5)
    void ofAHoldIsFollowedByATokenThatWorks() throws IOException {
        send("/api/holds", connection -> {
            await().atMost(Duration.ofSeconds(10)).until(() -> clinic.active(slot) == 1);
            connection.setSoLinger(true, 0);
            connection.close();
        });

        Answer retried = clinic.hold(slot, patient, key);

        assertThat(retried.is(200)).as("%s", retried).isTrue();
        assertThat(clinic.confirm(retried.id(), retried.token()).is(200)).isTrue();
        assertThat(clinic.appointments(slot)).isEqualTo(1).isEqualTo(clinic.bookedCount(slot));
    }

    /** Whether the first request reached the service or not: the retries answer as one, and only the first may say 201. */
    private void retryFindsIt() {
        Answer first = clinic.book(slot, patient, key);
        Answer second = clinic.book(slot, patient, key);

        assertThat(first.is(200) || first.is(201)).as("%s", first).isTrue();
        assertThat(second.is(200)).as("%s", second).isTrue();
        assertThat(second.id()).isEqualTo(first.id());
        assertOneAppointment(first);
    }

    private void assertOneAppointment(Answer answer) {
        assertThat(answer.body()).containsEntry("patientId", patient).containsEntry("status", "BOOKED");
        assertThat(clinic.appointments(slot))
                .isEqualTo(1)
                .isEqualTo(clinic.bookedCount(slot))
                .isEqualTo(clinic.events(slot));
        assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).code())
                .isEqualTo("SLOT_FULL");
    }

    private void send(Ending ending) throws IOException {
        send("/api/appointments", ending);
    }

    private void send(String path, Ending ending) throws IOException {
        String body = "{\"slotId\": %d, \"patientId\": %d}".formatted(slot, patient);
        String request = """
                POST %s HTTP/1.1\r
                Host: localhost\r
                Content-Type: application/json\r
                Idempotency-Key: %s\r
                Content-Length: %d\r
                \r
                %s""".formatted(path, key, body.length(), body);
        try (Socket connection = new Socket("127.0.0.1", port)) {
            connection.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            connection.getOutputStream().flush();
            ending.of(connection);
        }
    }

    private static void readAll(Socket connection) {
        try {
            connection.getInputStream().readAllBytes();
        } catch (IOException e) {
            // The server may answer, close or keep silent.
        }
    }
}
