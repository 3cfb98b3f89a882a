package dev.daybreak.schedule;

import static dev.daybreak.schedule.ClinicJourney.SOON;
import static dev.daybreak.schedule.ClinicJourney.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.DaybreakTest;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.r2dbc.core.DatabaseClient;

@DaybreakTest
class SlotsTest {

    private static final Instant NOON = Instant.parse("2026-10-12T10:00:00Z");

    @Autowired
    ApplicationContext context;

    @Autowired
    DatabaseClient database;

    @Autowired
    Slots slots;

    ClinicJourney clinic;
    long doctor;

    @BeforeEach
    void aDoctorWithTwoWeeksOfSlots() {
        clinic = ClinicJourney.at(context);
        doctor = clinic.addDoctor();
        clinic.publishes(doctor, schedule("2026-10-12/2026-10-25", "08:00-18:00", 15), 560, 0, 0);
    }

    @Test
    void listsATimeFromItsStartToBeforeItsEnd() {
        List<Slot> found = slots.between(doctor, NOON, NOON.plusSeconds(3600)).block(SOON);

        assertThat(found).hasSize(4).isSortedAccordingTo((a, b) -> a.startAt().compareTo(b.startAt()));
        assertThat(found.getFirst().startAt()).isEqualTo(NOON);
        assertThat(slots.find(found.getFirst().id()).block(SOON)).isEqualTo(found.getFirst());
        assertThat(slots.find(987654321L).blockOptional(SOON)).isEmpty();
    }

    @Test
    void amongManySlotsADayIsFoundByTheIndexAlone() {
        database.sql("""
                        WITH crowd AS (
                            INSERT INTO doctor (name, specialty) SELECT 'Dr. ' || n, 'Crowd' FROM generate_series(1, 100) n
                            RETURNING id)
                        INSERT INTO time_slot (doctor_id, start_at, end_at, capacity, opens_at)
                        SELECT crowd.id, t, t + interval '15 min', 1, t
                        FROM crowd, generate_series(timestamptz '2026-10-12 06:00Z', '2026-10-18 06:00Z', '15 min') t""").then().block(SOON);
        database.sql("ANALYZE time_slot").then().block(SOON);

        String plan = String.join(
                "\n",
                database.sql("EXPLAIN " + Slots.BETWEEN)
                        .bind("doctor", doctor)
                        .bind("from", NOON)
                        .bind("to", NOON.plusSeconds(3600))
                        .bind("now", NOON)
                        .mapValue(String.class)
                        .all()
                        .collectList()
                        .block(SOON));

        assertThat(plan).contains("Index Scan using uq_doctor_start").doesNotContain("Sort", "Seq Scan", "Filter");
    }
}
