package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

/** An appointment given up: its seat is free at once, its row stays. */
@DaybreakTest
class CancellingTest {

    @Autowired
    ApplicationContext service;

    Clinic clinic;
    long slot;
    long patient;
    String key;
    Answer booked;

    @BeforeEach
    void aPatientWithTheOnlySeat() {
        clinic = Clinic.at(service);
        slot = clinic.slot(1);
        patient = Clinic.newPatient();
        key = Clinic.newKey();
        booked = clinic.book(slot, patient, key);
        assertThat(booked.is(201)).as("%s", booked).isTrue();
    }

    @Test
    void givesTheSeatBackOnceThoughCalledTwice() {
        assertThat(clinic.cancel(booked.id()).is(204)).isTrue();
        assertThat(clinic.cancel(booked.id()).is(204)).isTrue();

        assertThat(clinic.bookedCount(slot)).isZero().isEqualTo(clinic.active(slot));
        assertThat(clinic.events(slot)).as("booked, cancelled").isEqualTo(2);
    }

    @Test
    void letsAnotherPatientHaveTheSeat() {
        clinic.cancel(booked.id());

        assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).is(201))
                .isTrue();
        assertThat(clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).code())
                .isEqualTo("SLOT_FULL");
    }

    @Test
    void doesNotTakeTheSeatFromWhoeverHasItNow() {
        clinic.cancel(booked.id());
        clinic.book(slot, Clinic.newPatient(), Clinic.newKey());

        assertThat(clinic.cancel(booked.id()).is(204)).isTrue();

        assertThat(clinic.bookedCount(slot)).isEqualTo(1).isEqualTo(clinic.active(slot));
    }

    @Test
    void keepsTheRowWithWhoWhenAndWhy() {
        Answer answer = clinic.send(
                HttpMethod.DELETE, "/api/appointments/" + booked.id() + "?reason=feeling better", Map.of(), null);
        assertThat(answer.is(204)).as("%s", answer).isTrue();

        Answer found = clinic.get("/api/appointments/" + booked.id());
        assertThat(found.body())
                .containsAllEntriesOf(without(booked.body(), "status", "revision"))
                .containsEntry("revision", 2)
                .containsEntry("status", "CANCELLED")
                .containsEntry("cancelledBy", "patient")
                .containsEntry("cancelReason", "feeling better")
                .containsKey("cancelledAt");
        assertThat(listed("")).containsExactly(found.body());
        assertThat(listed("?status=CANCELLED")).containsExactly(found.body());
        assertThat(listed("?status=BOOKED")).isEmpty();
    }

    @Test
    void keepsTheFirstReason() {
        clinic.send(HttpMethod.DELETE, "/api/appointments/" + booked.id() + "?reason=first", Map.of(), null);
        Map<String, Object> cancelled =
                clinic.get("/api/appointments/" + booked.id()).body();

        clinic.send(HttpMethod.DELETE, "/api/appointments/" + booked.id() + "?reason=second", Map.of(), null);

        assertThat(clinic.get("/api/appointments/" + booked.id()).body()).isEqualTo(cancelled);
    }

    @Test
    void allowsThePatientToBookAgainWithANewKey() {
        clinic.cancel(booked.id());

        Answer again = clinic.book(slot, patient, Clinic.newKey());

        assertThat(again.is(201)).as("%s", again).isTrue();
        assertThat(again.id()).isNotEqualTo(booked.id());
        assertThat(clinic.appointments(slot)).isEqualTo(2);
        assertThat(clinic.bookedCount(slot)).isEqualTo(1);
    }

    @Test
    void leavesTheOldKeyWithTheCancelledAppointment() {
        clinic.cancel(booked.id());

        Answer retried = clinic.book(slot, patient, key);

        assertThat(retried.is(200)).as("%s", retried).isTrue();
        assertThat(retried.id()).isEqualTo(booked.id());
        assertThat(retried.body()).containsEntry("status", "CANCELLED");
        assertThat(clinic.active(slot)).isZero();
    }

    @Test
    void isNeverDoneByReading() {
        String appointment = "/api/appointments/" + booked.id();
        String rows = "SELECT sum(hashtextextended(a::text || s::text, 0))::bigint FROM appointment a"
                + " JOIN time_slot s ON s.id = a.slot_id WHERE a.slot_id = " + slot;
        long before = clinic.number(rows);

        List<String> paths = List.of(
                appointment,
                appointment + "?reason=x",
                appointment + "/cancel",
                "/api/patients/" + patient + "/appointments",
                "/api/appointments");
        paths.forEach(clinic::get);
        paths.forEach(path -> clinic.send(HttpMethod.HEAD, path, Map.of(), null));
        paths.forEach(path -> clinic.send(HttpMethod.OPTIONS, path, Map.of(), null));

        assertThat(clinic.number(rows)).isEqualTo(before);
        assertThat(clinic.events(slot)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "0", "-1", "1.0", "1e3", "9223372036854775808", "%00", "%20", "null"})
    void refusesAnIdThatIsNone(String id) {
        for (HttpMethod method : List.of(HttpMethod.GET, HttpMethod.DELETE)) {
            Answer answer = clinic.send(method, "/api/appointments/" + id, Map.of(), null);

            assertThat(answer.is(400)).as("%s %s", method, answer).isTrue();
            assertThat(answer.body().get("violations").toString()).contains("id");
        }
    }

    @Test
    void doesNotFindWhatThereIsNot() {
        for (HttpMethod method : List.of(HttpMethod.GET, HttpMethod.DELETE)) {
            Answer answer = clinic.send(method, "/api/appointments/" + Long.MAX_VALUE, Map.of(), null);

            assertThat(answer.is(404)).as("%s %s", method, answer).isTrue();
            assertThat(answer.code()).isEqualTo("APPOINTMENT_NOT_FOUND");
        }
    }

    @Test
    void refusesAReasonTooLongToKeep() {
        Answer answer = clinic.send(
                HttpMethod.DELETE, "/api/appointments/" + booked.id() + "?reason=" + "x".repeat(201), Map.of(), null);

        assertThat(answer.is(400)).as("%s", answer).isTrue();
        assertThat(clinic.active(slot)).isEqualTo(1);
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> listed(String query) {
        return (List<Map<String, Object>>) clinic.get("/api/patients/" + patient + "/appointments" + query)
                .body()
                .get("list");
    }

    private static Map<String, Object> without(Map<String, Object> body, String... fields) {
        var rest = new HashMap<>(body);
        rest.keySet().removeAll(List.of(fields));
        return rest;
    }
}
