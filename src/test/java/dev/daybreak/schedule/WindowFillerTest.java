package dev.daybreak.schedule;

import static dev.daybreak.schedule.ClinicJourney.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.DaybreakTest;
import dev.daybreak.MutableClock;
import dev.daybreak.TestServers;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;

@DaybreakTest
class WindowFillerTest {

    @Autowired
    ApplicationContext context;

    @Autowired
    WindowFiller filler;

    @Autowired
    MutableClock time;

    ClinicJourney clinic;
    long doctor;

    @BeforeEach
    void aStandingSchedule() {
        clinic = ClinicJourney.at(context);
        filler.stop(); // the tests fill when they want to
        time.set(Instant.parse("2030-06-03T10:00:00Z"));
        filler.fill().block(ClinicJourney.SOON);
        doctor = clinic.addDoctor();
        clinic.publishes(doctor, schedule("2030-06-01", "09:00-10:00", 30), 32, 0, 0);
    }

    @AfterEach
    void letTimePass() {
        time.reset();
    }

    @Test
    void addsADayADay() {
        fill();
        assertThat(clinic.slots(doctor)).hasSize(32);

        time.set(Instant.parse("2030-06-03T22:00:05Z")); // past midnight in the clinic's zone
        fill();

        assertThat(clinic.slots(doctor)).hasSize(34);
        assertThat(clinic.slots(doctor).getLast().startAt()).isEqualTo("2030-06-19T07:30:00Z");
        assertThat(clinic.slots(doctor).getLast().opensAt()).isEqualTo("2030-06-05T05:00:00Z");
    }

    @Test
    void catchesUpWithoutMakingThePast() {
        time.set(Instant.parse("2030-09-02T10:00:00Z"));
        fill();

        assertThat(clinic.starts(doctor))
                .hasSize(64)
                .contains("2030-06-18T07:30:00Z", "2030-09-02T07:00:00Z", "2030-09-17T07:30:00Z")
                .doesNotContain("2030-06-19T07:00:00Z", "2030-09-01T07:00:00Z");
    }

    @Test
    void severalAtOnceShareTheWork() {
        List<Long> doctors = new ArrayList<>(List.of(doctor));
        for (int i = 0; i < 60; i++) {
            doctors.add(clinic.addDoctor());
            clinic.publishes(doctors.getLast(), schedule("2030-06-01", "09:00-10:00", 30), 32, 0, 0);
        }
        time.advance(Duration.ofDays(1));

        List<Long> made = Flux.merge(filler.fill(), filler.fill(), filler.fill())
                .collectList()
                .block(ClinicJourney.SOON);

        assertThat(made).hasSize(3);
        assertThat(made.stream().mapToLong(Long::longValue).sum()).isGreaterThanOrEqualTo(122);
        assertThat(doctors).allSatisfy(id -> assertThat(clinic.slots(id)).hasSize(34));
    }

    @Test
    void leavesSchedulesWithAnEndAlone() {
        long guest = clinic.addDoctor();
        clinic.publishes(guest, schedule("2030-06-01/2030-06-10", "09:00-10:00", 30), 20, 0, 0);

        time.advance(Duration.ofDays(3));
        fill();

        assertThat(clinic.slots(guest)).hasSize(20);
    }

    @Test
    void pausesUntilMidnightButNotForLong() {
        assertThat(filler.pause(Instant.parse("2030-06-03T10:00:00Z"))).isEqualTo(Duration.ofHours(1));
        assertThat(filler.pause(Instant.parse("2030-06-03T21:30:00Z"))).isEqualTo(Duration.ofSeconds(1805));
    }

    @Test
    void stopsWhatItStarted() {
        filler.start();
        assertThat(filler.isRunning()).isTrue();

        filler.stop();
        assertThat(filler.isRunning()).isFalse();
    }

    @Test
    void anEmptyClinicIsFurnishedOnceWhenAskedFor() throws SQLException {
        String database = TestServers.freshDatabase(context);
        for (int start = 0; start < 2; start++) {
            try (ConfigurableApplicationContext demo =
                    TestServers.anotherInstance(context, database, "daybreak.demo.enabled=true")) {
                ClinicJourney.at(demo)
                        .get("/api/doctors?specialty=vaccination")
                        .expectBody()
                        .jsonPath("$.length()")
                        .isEqualTo(1)
                        .jsonPath("$[0].id")
                        .value(id -> assertThat(ClinicJourney.at(demo).slots(((Number) id).longValue()))
                                .hasSizeGreaterThanOrEqualTo(12 * 20)
                                .allMatch(slot -> slot.capacity() == 10));
                ClinicJourney.at(demo)
                        .get("/api/doctors")
                        .expectBody()
                        .jsonPath("$.length()")
                        .isEqualTo(13);
            }
        }
    }

    private void fill() {
        filler.fill().block(ClinicJourney.SOON);
    }
}
