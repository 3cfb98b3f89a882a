package dev.daybreak.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The scale of the design: 2,000 doctors, 14 days, 40 slots a day, published over HTTP into a database of their own. */
@DaybreakTest
class LargeClinicTest {

    private static final int DOCTORS = 2_000;
    private static final int DAYS = 14;
    private static final int SLOTS_A_DAY = 40;

    @Autowired
    ApplicationContext here;

    @Test
    void publishesAMillionSlotsInAMinuteAndStillListsADayByOneShortRangeOfTheIndex() throws Exception {
        try (var instance = TestServers.anotherInstance(here, TestServers.freshDatabase(here))) {
            var clinic = new Clinic(instance);
            DatabaseClient database = instance.getBean(DatabaseClient.class);
            LocalDate first = LocalDate.now().plusDays(1);

            publish(clinic, first);
            String planOfASmallClinic = planOfADay(database, first);
            long begun = System.nanoTime();
            Long created = Flux.range(1, DOCTORS - 1)
                    .flatMap(
                            i -> Mono.fromCallable(() -> publish(clinic, first))
                                    .subscribeOn(Schedulers.boundedElastic()),
                            8)
                    .reduce(0L, Long::sum)
                    .block(Duration.ofMinutes(4));
            Duration took = Duration.ofNanos(System.nanoTime() - begun);

            assertThat(created).isEqualTo((DOCTORS - 1L) * DAYS * SLOTS_A_DAY);
            assertThat(clinic.number("SELECT count(*) FROM time_slot")).isEqualTo((long) DOCTORS * DAYS * SLOTS_A_DAY);
            assertThat(took).isLessThan(Duration.ofSeconds(60));
            database.sql("ANALYZE time_slot").then().block();
            String plan = planOfADay(database, first);
            assertThat(plan).contains("uq_doctor_start").doesNotContain("Seq Scan");
            // Pages read, not milliseconds: what a list costs, whoever else uses the machine.
            assertThat(pages(plan)).isLessThanOrEqualTo(pages(planOfASmallClinic) + 10);
        }
    }

    private static long publish(Clinic clinic, LocalDate first) {
        long doctor = clinic.send(
                        HttpMethod.POST,
                        "/api/admin/doctors",
                        Map.of(),
                        Map.of("name", "Dr. Many", "specialty", "general"))
                .id();
        Answer published = clinic.send(
                HttpMethod.POST,
                "/api/admin/doctors/" + doctor + "/schedules",
                Map.of(),
                Map.of(
                        "fromDate",
                        first.toString(),
                        "toDate",
                        first.plusDays(DAYS - 1).toString(),
                        "weekdays",
                        List.of("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"),
                        "startTime",
                        "08:00",
                        "endTime",
                        "18:00",
                        "slotMinutes",
                        15,
                        "capacity",
                        1));
        assertThat(published.is(201)).as(published.toString()).isTrue();
        return ((Number) published.body().get("created")).longValue();
    }

    private static String planOfADay(DatabaseClient database, LocalDate day) {
        String explained = "EXPLAIN (ANALYZE, BUFFERS) "
                + Slots.BETWEEN
                        .replace(":doctor", "(SELECT min(id) FROM doctor)")
                        .replace(":from", "'" + day + "T00:00:00Z'")
                        .replace(":to", "'" + day.plusDays(1) + "T00:00:00Z'")
                        .replace(":now", "'" + day + "T00:00:00Z'");
        List<String> lines = database.sql(explained)
                .mapValue(String.class)
                .all()
                .collectList()
                .block();
        return String.join("\n", lines);
    }

    private static long pages(String plan) {
        var buffers = Pattern.compile("Buffers: shared(?: hit=(\\d+))?(?: read=(\\d+))?")
                .matcher(plan);
        assertThat(buffers.find()).as(plan).isTrue();
        return number(buffers.group(1)) + number(buffers.group(2));
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
