package dev.daybreak.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.DaybreakTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ParameterizedTypeReference;

@DaybreakTest
class DoctorsTest {

    @Autowired
    ApplicationContext context;

    ClinicJourney clinic;
    String specialty;

    @BeforeEach
    void aNewSpecialty() {
        clinic = ClinicJourney.at(context);
        specialty = "S-" + UUID.randomUUID();
    }

    @Test
    void aDoctorIsAddedAndFound() {
        clinic.post("/api/admin/doctors", """
                        {"name": "  Dr. Zoë Müller ", "specialty": "Kardiologie"}""")
                .expectStatus()
                .isCreated()
                .expectHeader()
                .value(
                        "Location",
                        location -> clinic.get(location)
                                .expectStatus()
                                .isOk()
                                .expectBody()
                                .jsonPath("$.name")
                                .isEqualTo("Dr. Zoë Müller")
                                .jsonPath("$.specialty")
                                .isEqualTo("Kardiologie")
                                .jsonPath("$.id")
                                .value(id -> assertThat(location).isEqualTo("/api/doctors/" + id)));
    }

    @Test
    void anUnknownDoctorIsNotFound() {
        clinic.get("/api/doctors/987654321")
                .expectStatus()
                .isNotFound()
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("DOCTOR_NOT_FOUND");
        clinic.get("/api/doctors/0").expectStatus().isBadRequest();
        clinic.get("/api/doctors/x").expectStatus().isBadRequest();
    }

    @Test
    void whatIsMissingIsNamed() {
        clinic.post("/api/admin/doctors", """
                        {"name": " ", "title": "Dr."}""")
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.violations[*].field")
                .value(fields -> assertThat(fields).asString().contains("name", "specialty", "title"));
    }

    @Test
    void theListIsOrderedAndFiltered() {
        clinic.addDoctor("Dr. C", specialty);
        clinic.addDoctor("Dr. A 100%", specialty);
        clinic.addDoctor("Dr. B", specialty);
        clinic.addDoctor("Dr. B", specialty + "-other");

        assertThat(names("specialty=" + specialty)).containsExactly("Dr. A 100%", "Dr. B", "Dr. C");
        assertThat(names("specialty=" + specialty.toLowerCase() + "&name=dr. c"))
                .containsExactly("Dr. C");
        assertThat(names("specialty=" + specialty + "&name={percent}", "%")).containsExactly("Dr. A 100%");
        assertThat(names("specialty=nobody")).isEmpty();
    }

    @Test
    void pagesFollowEachOtherWithoutGaps() {
        for (int i = 0; i < 7; i++) {
            clinic.addDoctor("Dr. " + i / 2, specialty); // names that come twice
        }

        var seen = new ArrayList<Doctor>();
        List<Doctor> page = list("limit=2&specialty=" + specialty);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(2);
            seen.addAll(page);
            page = list("limit=2&specialty=" + specialty + "&after="
                    + page.getLast().id());
        }

        assertThat(seen).doesNotHaveDuplicates().hasSize(7);
        assertThat(seen).extracting(Doctor::name).isSorted();
    }

    @ParameterizedTest
    @ValueSource(strings = {"limit=1000000", "limit=0", "limit=-1", "limit=ten", "after=0", "specialty=", "page=2"})
    void aListIsAskedForWithinItsLimits(String query) {
        clinic.get("/api/doctors?" + query).expectStatus().isBadRequest();
    }

    private List<String> names(String query, Object... values) {
        return list(query, values).stream().map(Doctor::name).toList();
    }

    private List<Doctor> list(String query, Object... values) {
        return Objects.requireNonNull(clinic.get("/api/doctors?" + query, values)
                .expectStatus()
                .isOk()
                .expectBody(new ParameterizedTypeReference<List<Doctor>>() {})
                .returnResult()
                .getResponseBody());
    }
}
