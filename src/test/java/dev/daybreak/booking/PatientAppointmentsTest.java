package dev.daybreak.booking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

/** What a patient has and had. */
@DaybreakTest
class PatientAppointmentsTest {

    @Autowired
    ApplicationContext service;

    Clinic clinic;
    long patient;

    @BeforeEach
    void aPatient() {
        clinic = Clinic.at(service);
        patient = Clinic.newPatient();
    }

    @Test
    void areListedByStartWithoutThoseOfOthers() {
        List<Long> slots = clinic.slots(3, 2);
        List<Long> ids = List.of(
                book(slots.get(2)).id(),
                book(slots.get(0)).id(),
                book(slots.get(1)).id());
        clinic.cancel(ids.get(1));
        slots.forEach(slot -> clinic.book(slot, Clinic.newPatient(), Clinic.newKey()));

        assertThat(listed("")).containsExactly(ids.get(1), ids.get(2), ids.get(0));
        assertThat(listed("?limit=1")).containsExactly(ids.get(1));
        assertThat(listed("?limit=1&after=" + ids.get(1))).containsExactly(ids.get(2));
        assertThat(listed("?limit=2&after=" + ids.get(2))).containsExactly(ids.get(0));
        assertThat(listed("?after=" + ids.get(0))).isEmpty();
        assertThat(listed("?status=BOOKED")).containsExactly(ids.get(2), ids.get(0));
        assertThat(listed("?status=CANCELLED")).containsExactly(ids.get(1));
        assertThat(listed("?status=EXPIRED")).isEmpty();
    }

    @Test
    void areFoundByInstantsWithAnyOffset() {
        Instant start = Instant.now().plus(Duration.ofDays(3)).truncatedTo(ChronoUnit.HOURS);
        long id = book(clinic.slot(clinic.doctor(), start, 1)).id();
        var tokyo = start.atZone(ZoneId.of("Asia/Tokyo")).toOffsetDateTime();
        Instant end = start.plus(Duration.ofMinutes(15));

        assertThat(listed("?from=" + start + "&to=" + end)).containsExactly(id);
        assertThat(listed("?from=" + tokyo + "&to=" + tokyo.plusMinutes(1))).containsExactly(id);
        assertThat(listed("?from=" + start.plusSeconds(899))).containsExactly(id);
        assertThat(listed("?from=" + end)).as("ends then").isEmpty();
        assertThat(listed("?to=" + start)).as("begins then").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "from=2026-10-12T09:00:00, from",
        "to=2026-10-12T09:00, to",
        "from=2026-10-12, from",
        "from=yesterday, from",
        "from=2026-10-12T09:00:00Z&from=2026-10-12T10:00:00Z, from",
        "from=, from",
        "to=2026-13-01T00:00:00Z, to",
        "from=2026-10-12T09:00:00Z&to=2026-10-12T09:00:00Z, to",
        "from=2026-10-12T10:00:00Z&to=2026-10-12T09:00:00Z, to",
        "from=9998-12-31T23:59:59-18:00, from",
        "from=0001-01-01T00:00:00Z, from",
        "limit=0, limit",
        "limit=201, limit",
        "limit=1000000, limit",
        "status=booked, status",
        "colour=red, colour"
    })
    void areNotSoughtByWhatCannotBeUnderstood(String query, String field) {
        Answer answer = clinic.get("/api/patients/" + patient + "/appointments?" + query);

        assertThat(answer.is(400)).as("%s", answer).isTrue();
        assertThat(answer.code()).isEqualTo("VALIDATION_FAILED");
        assertThat(answer.body().get("violations").toString()).contains("field=" + field + ",");
    }

    private Answer book(long slot) {
        Answer answer = clinic.book(slot, patient, Clinic.newKey());
        assertThat(answer.is(201)).as("%s", answer).isTrue();
        return answer;
    }

    @SuppressWarnings("unchecked")
    private List<Long> listed(String query) {
        Answer answer = clinic.get("/api/patients/" + patient + "/appointments" + query);
        assertThat(answer.is(200)).as("%s", answer).isTrue();
        return ((List<Map<String, Object>>) answer.body().get("list"))
                .stream()
                        .map(appointment -> ((Number) appointment.get("id")).longValue())
                        .toList();
    }
}
