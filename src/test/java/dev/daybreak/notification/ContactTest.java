package dev.daybreak.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

/** How a patient can be reached, over HTTP. */
@DaybreakTest
class ContactTest {

    @Autowired
    ApplicationContext service;

    Clinic clinic;
    String path;
    long patient;

    @BeforeEach
    void aPatient() {
        clinic = Clinic.at(service);
        patient = Clinic.newPatient();
        path = "/api/patients/" + patient + "/contact";
    }

    @Test
    void isKeptReplacedAndForgotten() {
        Answer kept =
                put(Map.of("email", "a@b.example", "phone", "+4915112345678", "language", "ko", "smsConsent", true));
        assertThat(kept.is(200)).as("%s", kept).isTrue();
        assertThat(kept.body())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "patientId",
                        patient,
                        "email",
                        "a@b.example",
                        "phone",
                        "+4915112345678",
                        "language",
                        "ko",
                        "smsConsent",
                        true));
        assertThat(clinic.get(path).body()).isEqualTo(kept.body());

        Answer replaced = put(Map.of("phone", "+821012345678"));
        assertThat(replaced.body())
                .doesNotContainKey("email")
                .containsEntry("language", "en")
                .containsEntry("smsConsent", false);
        assertThat(clinic.get(path).body()).isEqualTo(replaced.body());

        assertThat(clinic.send(HttpMethod.DELETE, path, Map.of(), null).is(204)).isTrue();
        assertThat(clinic.send(HttpMethod.DELETE, path, Map.of(), null).is(204)).isTrue();
        assertThat(clinic.get(path).code()).isEqualTo("CONTACT_NOT_FOUND");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mira@example.org", "m.h+clinic@mail.example.co", "o'neil@a-b.example", "x@1.de"})
    void acceptsEmailAddressesThatMailServersAccept(String email) {
        assertThat(put(Map.of("email", email)).is(200)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    email      | mira
                    email      | mira@
                    email      | @example.org
                    email      | mira@localhost
                    email      | mira@@example.org
                    email      | mira@example..org
                    email      | .mira@example.org
                    email      | Mira <mira@example.org>
                    email      | a@example.org, b@example.org
                    email      | mira@-example.org
                    phone      | 015112345678
                    phone      | +49 151 12345678
                    phone      | +0123456789
                    phone      | +123
                    phone      | +1234567890123456
                    phone      | 0049151123456
                    language   | fr
                    language   | EN
                    language   | en-US
                    """)
    void namesWhatIsWrong(String field, String value) {
        var contact = new HashMap<String, Object>(Map.of("email", "mira@example.org", "phone", "+4915112345678"));
        contact.put(field, value);

        Answer answer = put(contact);

        assertThat(answer.is(400)).as("%s", answer).isTrue();
        assertThat(answer.body().get("violations").toString()).contains("field=" + field);
        assertThat(clinic.get(path).code()).isEqualTo("CONTACT_NOT_FOUND");
    }

    @Test
    void namesEverythingThatIsWrongAtOnce() {
        Answer answer = put(Map.of("email", "x", "phone", "y", "language", "z", "smsConsent", "yes", "fax", "1"));

        assertThat(answer.body().get("violations").toString())
                .contains("field=email", "field=phone", "field=language", "field=smsConsent", "field=fax");
    }

    @Test
    void refusesNothingAtAll() {
        assertThat(put(Map.of()).is(400)).isTrue();
        assertThat(put(Map.of("language", "en")).is(400)).isTrue();
        assertThat(put(Map.of("email", "x".repeat(250) + "@example.org")).is(400))
                .isTrue();
        assertThat(clinic.send(HttpMethod.PUT, "/api/patients/0/contact", Map.of(), Map.of("email", "a@b.example"))
                        .is(400))
                .isTrue();
        assertThat(clinic.get("/api/patients/x/contact").is(400)).isTrue();
    }

    private Answer put(Map<String, Object> contact) {
        return clinic.send(HttpMethod.PUT, path, Map.of(), contact);
    }
}
