package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.MutableClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

/** Who did what to an appointment, when and why. */
@DaybreakTest
class HistoryTest {

    @Autowired
    ApplicationContext service;

    @Autowired
    MutableClock clock;

    Clinic clinic;
    Instant now;
    List<Long> slots;
    long patient;
    String key;
    Answer booked;

    @BeforeEach
    void anAppointment() {
        clinic = Clinic.at(service);
        now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        clock.set(now);
        slots = clinic.slots(2, 1);
        patient = Clinic.newPatient();
        key = Clinic.newKey();
        booked = clinic.book(slots.get(0), patient, key);
    }

    @AfterEach
    void letTheClockGo() {
        clock.reset();
    }

    @Test
    void beginsWithTheBooking() {
        assertThat(history()).containsExactly(Map.of("at", now.toString(), "by", "patient", "change", "BOOKED"));
    }

    @Test
    void tellsEveryChangeInOrder() {
        clock.advance(Duration.ofMinutes(1));
        clinic.move(booked.id(), slots.get(1));
        clock.advance(Duration.ofMinutes(1));
        clinic.send(HttpMethod.DELETE, "/api/appointments/" + booked.id() + "?reason=feeling better", Map.of(), null);

        Instant start = Instant.parse((String) booked.body().get("startAt"));
        assertThat(history())
                .containsExactly(
                        Map.of("at", now.toString(), "by", "patient", "change", "BOOKED"),
                        Map.of(
                                "at", now.plusSeconds(60).toString(),
                                "by", "patient",
                                "change", "MOVED",
                                "fromSlotId", slots.get(0).intValue(),
                                "toSlotId", slots.get(1).intValue(),
                                "fromStartAt", start.toString(),
                                "toStartAt", start.plus(Duration.ofMinutes(15)).toString()),
                        Map.of(
                                "at", now.plusSeconds(120).toString(),
                                "by", "patient",
                                "change", "CANCELLED",
                                "reason", "feeling better"));
    }

    @Test
    void doesNotGrowByWhatChangesNothing() {
        clinic.move(booked.id(), slots.get(0));
        clinic.cancel(booked.id());
        clinic.cancel(booked.id());
        clinic.move(booked.id(), slots.get(1));

        assertThat(history()).extracting(change -> change.get("change")).containsExactly("BOOKED", "CANCELLED");
    }

    @Test
    void isShownInThePatientsListToo() {
        clinic.move(booked.id(), slots.get(1));

        assertThat(clinic.get("/api/patients/" + patient + "/appointments")
                        .body()
                        .get("list"))
                .isEqualTo(
                        List.of(clinic.get("/api/appointments/" + booked.id()).body()));
    }

    @Test
    void isLeftOutOfTheAnswersToBookings() {
        assertThat(booked.body()).doesNotContainKey("history").containsEntry("revision", 1);
        assertThat(clinic.book(slots.get(0), patient, key).body()).doesNotContainKey("history");
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> history() {
        return (List<Map<String, Object>>)
                clinic.get("/api/appointments/" + booked.id()).body().get("history");
    }
}
