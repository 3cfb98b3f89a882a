package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Map;
import net.fortuna.ical4j.data.CalendarBuilder;
import net.fortuna.ical4j.model.Calendar;
import net.fortuna.ical4j.model.Component;
import net.fortuna.ical4j.model.Property;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.client.WebClient;

/** An appointment as a calendar file, read back by the library's parser as a calendar would. */
@DaybreakTest
class CalendarFileTest {

    @Autowired
    ApplicationContext service;

    Clinic clinic;

    @BeforeEach
    void aClinic() {
        clinic = Clinic.at(service);
    }

    @ParameterizedTest
    @CsvSource({"2031-07-15T09:00, 20310715T070000Z", "2031-01-15T09:00, 20310115T080000Z"})
    void saysTheInstantOfTheSlotInSummerAndInWinter(LocalDateTime inBerlin, String inUtc) {
        Instant start = inBerlin.atZone(ZoneId.of("Europe/Berlin")).toInstant();
        long slot = clinic.slot(clinic.doctor(), start, 1);
        long id = clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).id();

        Component event = event(file(id));

        assertThat(value(event, Property.DTSTART)).isEqualTo(inUtc);
        assertThat(value(event, Property.DTEND)).isEqualTo(inUtc.replace("0000Z", "1500Z"));
        assertThat(value(event, Property.DTSTAMP)).matches("\\d{8}T\\d{6}Z");
        assertThat(clinic.get("/api/appointments/" + id).body()).containsEntry("startAt", start.toString());
    }

    @Test
    void keepsItsIdentifierAndRaisesItsSequenceUntilItIsCancelled() {
        var slots = clinic.slots(2, 1);
        long id =
                clinic.book(slots.get(0), Clinic.newPatient(), Clinic.newKey()).id();
        Calendar booked = file(id);
        clinic.move(id, slots.get(1));
        Calendar moved = file(id);
        clinic.cancel(id);
        Calendar cancelled = file(id);

        assertEntry(booked, id, 0, "PUBLISH", "CONFIRMED");
        assertEntry(moved, id, 1, "PUBLISH", "CONFIRMED");
        assertEntry(cancelled, id, 2, "CANCEL", "CANCELLED");
        assertThat(value(event(moved), Property.DTSTART)).isNotEqualTo(value(event(booked), Property.DTSTART));
    }

    @Test
    void namesTheDoctorWhateverTheNameContains() {
        long doctor = clinic.number("INSERT INTO doctor (name, specialty) VALUES"
                + " ('Dr. Łucja; Müller, 김', 'Ear, nose and throat; voice and swallowing disorders') RETURNING id");
        long slot = clinic.slot(doctor, Instant.now().plus(Duration.ofDays(1)), 1);
        long id = clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).id();

        assertThat(value(event(file(id)), Property.SUMMARY))
                .isEqualTo("Dr. Łucja; Müller, 김 (Ear, nose and throat; voice and swallowing disorders)");
    }

    @Test
    void comesAsAFileOfItsKind() {
        long id = clinic.book(clinic.slot(1), Clinic.newPatient(), Clinic.newKey())
                .id();

        var headers = WebClient.create()
                .get()
                .uri(address(id))
                .retrieve()
                .toBodilessEntity()
                .block(Duration.ofSeconds(20))
                .getHeaders();

        assertThat(headers.getFirst("Content-Type")).isEqualToIgnoringCase("text/calendar;charset=utf-8");
        assertThat(headers.getFirst("Content-Disposition"))
                .isEqualTo("attachment; filename=\"appointment-" + id + ".ics\"");
    }

    @Test
    void isRefusedForWhatIsNoAppointmentYetOrNoMore() {
        long id = clinic.book(clinic.slot(1), Clinic.newPatient(), Clinic.newKey())
                .id();
        clinic.execute(
                "UPDATE appointment SET status = 'HELD', hold_tokens = '{}', hold_expires_at = 'infinity' WHERE id = "
                        + id);

        Answer held = clinic.get("/api/appointments/" + id + "/calendar.ics");

        clinic.execute("UPDATE appointment SET status = 'BOOKED' WHERE id = " + id);
        assertThat(held.code()).isEqualTo("APPOINTMENT_NOT_BOOKED");
        assertThat(held.body()).containsEntry("appointmentStatus", "HELD");
        assertThat(clinic.get("/api/appointments/" + Long.MAX_VALUE + "/calendar.ics")
                        .code())
                .isEqualTo("APPOINTMENT_NOT_FOUND");
        assertThat(clinic.get("/api/appointments/x/calendar.ics").is(400)).isTrue();
        assertThat(clinic.send(
                                HttpMethod.GET,
                                "/api/appointments/" + id + "/calendar.ics",
                                Map.of("Accept", "application/json"),
                                null)
                        .is(406))
                .isTrue();
    }

    private static void assertEntry(Calendar file, long id, int sequence, String method, String status) {
        assertThat(file.getProperty(Property.METHOD).orElseThrow().getValue()).isEqualTo(method);
        assertThat(value(event(file), Property.UID)).isEqualTo("appointment-" + id + "@daybreak");
        assertThat(value(event(file), Property.SEQUENCE)).isEqualTo(Integer.toString(sequence));
        assertThat(value(event(file), Property.STATUS)).isEqualTo(status);
    }

    private Calendar file(long id) {
        byte[] bytes = WebClient.create()
                .get()
                .uri(address(id))
                .retrieve()
                .bodyToMono(byte[].class)
                .block(Duration.ofSeconds(20));
        try {
            return new CalendarBuilder().build(new ByteArrayInputStream(bytes));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Component event(Calendar file) {
        assertThat(file.getComponents()).hasSize(1);
        return file.getComponents().getFirst();
    }

    private static String value(Component event, String property) {
        return event.getRequiredProperty(property).getValue();
    }

    private String address(long id) {
        return "http://127.0.0.1:%s/api/appointments/%d/calendar.ics"
                .formatted(service.getEnvironment().getRequiredProperty("local.server.port"), id);
    }
}
