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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

/** Bookings nobody can understand are refused by name of what is wrong with them, before anybody is asked for a seat. */
@DaybreakTest
class BookingInputTest {

    @Autowired
    ApplicationContext service;

    Clinic clinic;

    @BeforeEach
    void openTheClinic() {
        clinic = Clinic.at(service);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"slotId\": 1}                                   | patientId",
                "{\"patientId\": 1}                                | slotId",
                "{}                                                | slotId patientId",
                "{\"slotId\": null, \"patientId\": 1}              | slotId",
                "{\"slotId\": \"1\", \"patientId\": 1}             | slotId",
                "{\"slotId\": 1.5, \"patientId\": 1}               | slotId",
                "{\"slotId\": 1e0, \"patientId\": 1}               | slotId",
                "{\"slotId\": true, \"patientId\": [1]}            | slotId patientId",
                "{\"slotId\": 0, \"patientId\": -1}                | slotId patientId",
                "{\"slotId\": 9223372036854775808, \"patientId\": 1} | slotId",
                "{\"slotId\": 1, \"patientId\": 1, \"nurse\": 2}   | nurse",
                "{\"slotId\": 1, \"SlotId\": 1, \"patientId\": 1}  | SlotId",
                "{\"slotId\": 1, \"slotId\": 2, \"patientId\": 1}  | body",
                "{\"slotId\": 1, \"patientId\": 1} {}              | body",
                "{\"slotId\": 1, \"patientId\":                    | body",
                "[{\"slotId\": 1, \"patientId\": 1}]               | body",
                "null                                              | body",
                "17                                                | body",
                "`  `                                              | body"
            })
    void namesTheFieldsThatAreWrong(String body, String fields) {
        Answer answer = post(Map.of("Idempotency-Key", Clinic.newKey()), body);

        assertThat(answer.is(400)).as("%s", answer).isTrue();
        assertThat(answer.code()).isEqualTo("VALIDATION_FAILED");
        assertThat(fields(answer)).containsExactlyInAnyOrder(fields.split(" "));
    }

    @Test
    void asksForAKey() {
        long slot = clinic.slot(1);

        Answer answer = post(Map.of(), body(slot));

        assertThat(answer.is(400)).as("%s", answer).isTrue();
        assertThat(answer.code()).isEqualTo("IDEMPOTENCY_KEY_REQUIRED");
        assertThat(clinic.appointments(slot)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "two words", "clé", "12345678901234567890123456789012345678901234567890123456789012345"})
    void refusesAKeyThatIsNone(String key) {
        long slot = clinic.slot(1);

        Answer answer = post(Map.of("Idempotency-Key", key), body(slot));

        assertThat(answer.is(400)).as("%s", answer).isTrue();
        assertThat(answer.code()).isIn("VALIDATION_FAILED", "IDEMPOTENCY_KEY_REQUIRED");
        assertThat(clinic.appointments(slot)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "k",
                "~!@#$%^&*()_+{}|:\"<>?`-=[]\\;',./",
                "1234567890123456789012345678901234567890123456789012345678901234"
            })
    void takesAnyVisibleAscii(String key) {
        long slot = clinic.slot(1);
        long before = clinic.number(
                "SELECT count(*) FROM appointment WHERE idempotency_key = '" + key.replace("'", "''") + "'");

        Answer answer = post(Map.of("Idempotency-Key", key), body(slot));

        assertThat(answer.is(before == 0 ? 201 : 422)).as("%s", answer).isTrue();
    }

    @Test
    void refusesOtherMediaTypesAndLargeBodies() {
        Map<String, String> key = Map.of("Idempotency-Key", Clinic.newKey());

        Answer xml = clinic.send(HttpMethod.POST, "/api/appointments", with(key, "application/xml"), "<slot>1</slot>");
        Answer large = post(key, "{\"slotId\": 1, \"patientId\": 1" + " ".repeat(20_000) + "}");

        assertThat(xml.code()).isEqualTo("UNSUPPORTED_MEDIA_TYPE");
        assertThat(xml.is(415)).isTrue();
        assertThat(large.code()).isEqualTo("BODY_TOO_LARGE");
        assertThat(large.is(413)).isTrue();
    }

    private Answer post(Map<String, String> headers, String body) {
        return clinic.send(HttpMethod.POST, "/api/appointments", with(headers, "application/json"), body);
    }

    private static Map<String, String> with(Map<String, String> headers, String contentType) {
        var all = new HashMap<>(headers);
        all.put("Content-Type", contentType);
        return all;
    }

    private static String body(long slot) {
        return "{\"slotId\": %d, \"patientId\": %d}".formatted(slot, Clinic.newPatient());
    }

    @SuppressWarnings("unchecked")
    private static List<String> fields(Answer answer) {
        var violations = (List<Map<String, Object>>) answer.body().get("violations");
        return violations.stream()
                .map(violation -> (String) violation.get("field"))
                .toList();
    }
}
