package dev.daybreak.schedule;

import static dev.daybreak.schedule.ClinicJourney.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.DaybreakTest;
import dev.daybreak.MutableClock;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.security.Role;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

@DaybreakTest
class PublishingTest {

    private static final Actor STAFF =
            new Actor(Actor.Standing.IDENTIFIED, "reception", Set.of(Role.STAFF), null, null, null);

    private static final String MONDAY = "\"weekdays\": [\"MONDAY\"]";
    private static final String TWO_WEEKS = "2026-10-12/2026-10-25";

    @Autowired
    ApplicationContext context;

    @Autowired
    Publishing publishing;

    @Autowired
    MutableClock time;

    ClinicJourney clinic;
    long doctor;

    @BeforeEach
    void aNewDoctor() {
        clinic = ClinicJourney.at(context);
        doctor = clinic.addDoctor();
    }

    @AfterEach
    void letTimePass() {
        time.reset();
    }

    @Test
    void makesTheSlotsOfTheWorkingHours() {
        clinic.publishes(doctor, schedule("2026-10-12/2026-10-12", "09:00-16:45", 20), 23, 0, 0);

        List<Slot> slots = clinic.slots(doctor);
        assertThat(slots).hasSize(23);
        Slot last = slots.getLast();
        assertThat(last.startAt()).isEqualTo("2026-10-12T14:20:00Z");
        assertThat(last.endAt()).isEqualTo("2026-10-12T14:40:00Z");
        assertThat(last.opensAt()).isEqualTo("2026-09-28T05:00:00Z");
        assertThat(last.capacity()).isEqualTo(1);
        assertThat(last.bookedCount()).isZero();
        assertThat(last.closed()).isFalse();
    }

    @Test
    void keepsLocalTimeOverTheChangeOfTheClocks() {
        clinic.publishes(doctor, schedule("2026-10-24/2026-10-26", "09:00-09:30", 30), 3, 0, 0);

        assertThat(clinic.starts(doctor))
                .containsExactly("2026-10-24T07:00:00Z", "2026-10-25T08:00:00Z", "2026-10-26T08:00:00Z");
    }

    @Test
    void countsWhatTheChangeOfTheClocksCosts() {
        clinic.publishes(doctor, schedule("2026-03-29/2026-03-29", "01:00-04:00", 30), 4, 0, 2);
        clinic.publishes(doctor, schedule("2026-10-25/2026-10-25", "01:00-04:00", 30), 8, 0, 0);
    }

    @Test
    void worksUntilMidnight() {
        clinic.publishes(doctor, schedule("2026-10-12/2026-10-12", "22:00-24:00", 30), 4, 0, 0);

        assertThat(clinic.slots(doctor).getLast().endAt()).isEqualTo("2026-10-12T22:00:00Z");
    }

    @Test
    void respectsWeekdaysAndBreaks() {
        String breaks = "\"breaks\": [{\"startTime\": \"12:00\", \"endTime\": \"13:00\"}]";
        clinic.publishes(doctor, schedule(TWO_WEEKS, "11:00-14:00", 30, MONDAY, breaks), 8, 0, 0);

        assertThat(clinic.starts(doctor))
                .startsWith("2026-10-12T09:00:00Z", "2026-10-12T09:30:00Z", "2026-10-12T11:00:00Z");
    }

    @Test
    void refusesHoursThatOverlapAndNamesTheOtherSchedule() {
        clinic.publishes(doctor, schedule(TWO_WEEKS, "09:00-12:00", 30, MONDAY), 12, 0, 0);

        clinic.publish(doctor, schedule(TWO_WEEKS, "11:00-14:00", 30, MONDAY))
                .expectStatus()
                .isEqualTo(409)
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("SCHEDULE_OVERLAP")
                .jsonPath("$.scheduleId")
                .isNumber()
                .jsonPath("$.startTime")
                .isEqualTo("09:00")
                .jsonPath("$.endTime")
                .isEqualTo("12:00");

        assertThat(clinic.slots(doctor)).hasSize(12);
        assertThat(clinic.schedules(doctor)).isEqualTo(1);
    }

    @Test
    void acceptsHoursThatTouch() {
        clinic.publishes(doctor, schedule(TWO_WEEKS, "09:00-12:00", 30, MONDAY), 12, 0, 0);
        clinic.publishes(doctor, schedule(TWO_WEEKS, "12:00-14:00", 30, MONDAY), 8, 0, 0);
    }

    @Test
    void refusesAnotherCapacityForTheSameHours() {
        clinic.publishes(doctor, schedule(TWO_WEEKS, "09:00-12:00", 30, MONDAY), 12, 0, 0);

        clinic.publish(doctor, schedule(TWO_WEEKS, "09:00-12:00", 30, MONDAY, "\"capacity\": 2"))
                .expectStatus()
                .isEqualTo(409);
    }

    @Test
    void publishingAgainMakesOnlyWhatIsMissing() {
        clinic.publishes(doctor, schedule("2026-10-12/2026-10-18", "09:00-10:00", 30), 14, 0, 0);
        clinic.publishes(doctor, schedule("2026-10-12/2026-10-18", "09:00-10:00", 30), 0, 14, 0);
        clinic.publishes(doctor, schedule("2026-10-12/2026-10-20", "09:00-10:00", 30), 4, 14, 0);

        assertThat(new HashSet<>(clinic.starts(doctor))).hasSize(18);
        assertThat(clinic.schedules(doctor)).isEqualTo(2);
    }

    @Test
    void publishingInParallelDuplicatesNothingAndFailsNobody() {
        Timetable timetable = Hours.daily(
                LocalDate.parse("2026-10-12"), LocalDate.parse("2026-10-25"), Hours.hours("08:00-18:00", 15));

        List<PublishOutcome> outcomes = Flux.merge(IntStream.range(0, 10)
                        .mapToObj(i -> publishing.publish(doctor, timetable, STAFF))
                        .toList())
                .collectList()
                .block(ClinicJourney.SOON);

        assertThat(outcomes)
                .hasSize(10)
                .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(PublishOutcome.Published.class));
        assertThat(outcomes.stream()
                        .mapToLong(outcome -> ((PublishOutcome.Published) outcome).created())
                        .sum())
                .isEqualTo(560);
        assertThat(clinic.slots(doctor)).hasSize(560);
        assertThat(clinic.schedules(doctor)).isEqualTo(1);
    }

    @Test
    void ofTwoOverlappingSchedulesPublishedInParallelOneWins() {
        for (int round = 0; round < 20; round++) {
            long contested = clinic.addDoctor();
            var from = LocalDate.parse("2026-10-12");
            List<PublishOutcome> outcomes = Flux.merge(
                            publishing.publish(
                                    contested, Hours.daily(from, from, Hours.hours("09:00-12:00", 30)), STAFF),
                            publishing.publish(
                                    contested, Hours.daily(from, from, Hours.hours("11:00-14:00", 30)), STAFF))
                    .collectList()
                    .block(ClinicJourney.SOON);

            assertThat(outcomes).hasAtLeastOneElementOfType(PublishOutcome.Published.class);
            assertThat(outcomes).hasAtLeastOneElementOfType(PublishOutcome.Overlap.class);
            assertThat(clinic.slots(contested)).hasSize(6);
        }
    }

    @Test
    void aClientThatGoesAwayLeavesAllOrNothing() {
        Timetable timetable = Hours.daily(
                LocalDate.parse("2026-10-12"), LocalDate.parse("2026-10-12"), Hours.hours("08:00-18:00", 15));
        List<Long> left =
                IntStream.range(0, 50).mapToObj(i -> clinic.addDoctor()).toList();

        Flux.fromIterable(left)
                .flatMap(
                        id -> publishing
                                .publish(id, timetable, STAFF)
                                .takeUntilOther(Mono.delay(Duration.ofNanos(id % 10 * 300_000))),
                        8)
                .then()
                .block(ClinicJourney.SOON);

        Awaitility.await()
                .atMost(ClinicJourney.SOON)
                .untilAsserted(() -> assertThat(left)
                        .allSatisfy(id -> assertThat(clinic.slots(id)).hasSize(40)));
    }

    @Test
    void aDryRunAnswersTheSameFiguresAndWritesNothing() {
        String schedule = schedule(TWO_WEEKS, "09:00-12:00", 30, MONDAY);
        String dry = schedule(TWO_WEEKS, "09:00-12:00", 30, MONDAY, "\"dryRun\": true");

        clinic.publish(doctor, dry).expectStatus().isOk().expectBody().json("""
                        {"created": 12, "existing": 0, "skipped": 0}""");
        assertThat(clinic.slots(doctor)).isEmpty();
        assertThat(clinic.schedules(doctor)).isZero();

        clinic.publishes(doctor, schedule, 12, 0, 0);
        clinic.publish(doctor, dry).expectStatus().isOk().expectBody().json("""
                        {"created": 0, "existing": 12, "skipped": 0}""");
        clinic.publish(doctor, schedule(TWO_WEEKS, "11:00-13:00", 30, MONDAY, "\"dryRun\": true"))
                .expectStatus()
                .isEqualTo(409);
    }

    @Test
    void aStandingScheduleIsFilledForTheBookingWindow() {
        time.set(Instant.parse("2027-06-01T10:00:00Z"));

        clinic.publishes(doctor, schedule("2027-01-01", "09:00-10:00", 30), 32, 0, 0);

        assertThat(clinic.slots(doctor).getFirst().startAt()).isEqualTo("2027-06-01T07:00:00Z");
        assertThat(clinic.slots(doctor).getLast().startAt()).isEqualTo("2027-06-16T07:30:00Z");
        clinic.publishes(doctor, schedule("2027-01-01", "09:00-10:00", 30), 0, 32, 0);
    }

    @Test
    void listsTheSchedulesOfADoctor() {
        String breaks = "\"breaks\": [{\"startTime\": \"09:30\", \"endTime\": \"10:00\"}]";
        clinic.publishes(doctor, schedule(TWO_WEEKS, "09:00-11:00", 30, MONDAY, breaks), 6, 0, 0);
        clinic.publish(doctor, schedule("2999-12-01", "11:00-24:00", 60, MONDAY))
                .expectStatus()
                .isCreated();

        clinic.get("/api/admin/doctors/" + doctor + "/schedules")
                .expectStatus()
                .isOk()
                .expectBody()
                .json("""
                        [{"doctorId": %1$d, "fromDate": "2026-10-12", "toDate": "2026-10-25", "weekdays": ["MONDAY"],
                          "startTime": "09:00", "endTime": "11:00", "slotMinutes": 30, "capacity": 1,
                          "breaks": [{"startTime": "09:30", "endTime": "10:00"}], "mode": "FIXED"},
                         {"doctorId": %1$d, "fromDate": "2999-12-01", "weekdays": ["MONDAY"],
                          "startTime": "11:00", "endTime": "24:00", "slotMinutes": 60, "capacity": 1,
                          "breaks": [], "mode": "FIXED"}]""".formatted(doctor));
    }

    @Test
    void anUnknownDoctorHasNoSchedules() {
        clinic.publish(987654321, schedule(TWO_WEEKS, "09:00-12:00", 30))
                .expectStatus()
                .isNotFound()
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("DOCTOR_NOT_FOUND");
        clinic.get("/api/admin/doctors/987654321/schedules").expectStatus().isNotFound();
        clinic.get("/api/admin/doctors/abc/schedules").expectStatus().isBadRequest();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            capacity    | {"capacity": 0}
            capacity    | {"capacity": -1}
            capacity    | {"capacity": 1000000000}
            capacity    | {"capacity": 10001}
            capacity    | {"capacity": 99999999999999999999}
            slotMinutes | {"slotMinutes": 0}
            slotMinutes | {"slotMinutes": 1441}
            slotMinutes | {"slotMinutes": 181}
            slotMinutes | {"slotMinutes": 100, "breaks": [{"startTime": "10:00", "endTime": "11:00"}]}
            slotMinutes | {"breaks": [{"startTime": "09:00", "endTime": "12:00"}]}
            toDate      | {"toDate": "2026-10-11"}
            toDate      | {"toDate": "2027-10-13"}
            fromDate    | {"fromDate": "1999-12-31", "toDate": "2000-01-05"}
            fromDate    | {"fromDate": "2026-02-30"}
            fromDate    | {"fromDate": null}
            endTime     | {"endTime": "09:00"}
            endTime     | {"endTime": "24:01"}
            endTime     | {"startTime": "24:00", "endTime": "24:00"}
            weekdays    | {"weekdays": []}
            weekdays    | {"weekdays": ["FUNDAY"]}
            mode        | {"mode": "LOOSE"}
            dryRun      | {"dryRun": "yes"}
            doctor      | {"doctor": 5}
            breaks[0].startTime | {"breaks": [{"startTime": "08:30", "endTime": "09:30"}]}
            breaks[0].endTime   | {"breaks": [{"startTime": "11:30", "endTime": "12:30"}]}
            breaks[0].endTime   | {"breaks": [{"startTime": "11:30", "endTime": "11:30"}]}
            breaks[0].endTime   | {"breaks": [{"startTime": "11:30"}]}
            breaks[1].startTime | {"breaks": [{"startTime": "10:00", "endTime": "11:00"}, {"startTime": "10:30", "endTime": "11:30"}]}
            """)
    void refusesWhatCannotBeASchedule(String field, String wrong) {
        clinic.publish(doctor, with(wrong))
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.code")
                .isEqualTo("VALIDATION_FAILED")
                .jsonPath("$.violations.length()")
                .isEqualTo(1)
                .jsonPath("$.violations[0].field")
                .isEqualTo(field);
        assertThat(clinic.slots(doctor)).isEmpty();
    }

    @Test
    void aWholeYearIsAllowed() {
        clinic.publishes(doctor, schedule("2027-10-12/2028-10-11", "09:00-10:00", 60), 366, 0, 0);
    }

    private static String with(String changes) {
        var json = JsonMapper.shared();
        var body = (ObjectNode) json.readTree(schedule("2026-10-12/2026-10-12", "09:00-12:00", 30));
        body.setAll((ObjectNode) json.readTree(changes));
        return body.toString();
    }
}
