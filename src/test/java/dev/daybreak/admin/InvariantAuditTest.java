package dev.daybreak.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import dev.daybreak.admin.InvariantAudit.Finding;
import dev.daybreak.room.LentRoom;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Mono;

/** The audit of the latest changes notices what that of all rows does, in a database that nobody else breaks. */
@DaybreakTest
class InvariantAuditTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static ConfigurableApplicationContext service;
    private static Clinic clinic;
    private static InvariantAudit audit;

    @BeforeAll
    static void start(@Autowired ApplicationContext here) throws Exception {
        service = TestServers.anotherInstance(
                here,
                TestServers.freshDatabase(here),
                "daybreak.demo.enabled=false",
                "daybreak.audit.interval=0",
                "daybreak.audit.full-interval=0");
        clinic = Clinic.at(service);
        audit = service.getBean(InvariantAudit.class);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void isContentWithEverythingThatHappens() {
        List<Long> slots = clinic.slots(3, 2);
        Answer booked = clinic.book(slots.getFirst(), Clinic.newPatient(), Clinic.newKey());
        clinic.move(booked.id(), slots.getLast());
        Answer hold = clinic.hold(slots.getFirst(), Clinic.newPatient(), Clinic.newKey());
        clinic.confirm(hold.id(), hold.token());
        clinic.cancel(hold.id());
        clinic.hold(slots.get(1), Clinic.newPatient(), Clinic.newKey());

        assertThat(broken(audit.runOnLatest(100))).isEmpty();
        assertThat(broken(audit.runUnhurried())).isEmpty();
    }

    @Test
    void noticesASeatThatIsCountedWrongWhereSomebodyHasLeft() {
        List<Long> slots = clinic.slots(2, 2);
        Answer booked = clinic.book(slots.getFirst(), Clinic.newPatient(), Clinic.newKey());
        clinic.move(booked.id(), slots.getLast());

        breaking(
                "UPDATE time_slot SET booked_count = booked_count + 1 WHERE id = " + slots.getFirst(),
                "UPDATE time_slot SET booked_count = booked_count - 1 WHERE id = " + slots.getFirst(),
                "I1 booked_count equals the active appointments");
    }

    @Test
    void noticesAChangeWithoutAnEvent() {
        long id = clinic.book(clinic.slot(1), Clinic.newPatient(), Clinic.newKey())
                .id();

        breaking(
                "UPDATE appointment SET revision = 2 WHERE id = " + id,
                "UPDATE appointment SET revision = 1 WHERE id = " + id,
                "I4 one event for every change of an appointment");
    }

    @Test
    void noticesAnEventWithoutAnAppointment() {
        clinic.execute(
                "INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload) VALUES ('appointment', '999999999',"
                        + " 'AppointmentBooked', '{}')");

        breaking(
                "SELECT 1",
                "DELETE FROM outbox_event WHERE aggregateid = '999999999'",
                "I4 no event without its appointment");
    }

    @Test
    void noticesAChangeOfAReservationWithoutAnEvent() {
        Instant start = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS);
        long id = LentRoom.of(clinic)
                .reserve(start, start.plus(1, ChronoUnit.HOURS), null)
                .id();

        breaking(
                "UPDATE reservation SET revision = 2 WHERE id = " + id,
                "UPDATE reservation SET revision = 1 WHERE id = " + id,
                "I4 one event for every change of a reservation");
    }

    private static void breaking(String harm, String repair, String rule) {
        clinic.execute(harm);
        assertThat(broken(audit.runOnLatest(1_000))).containsExactly(rule);
        assertThat(broken(audit.run())).containsExactly(rule);
        clinic.execute(repair);
        assertThat(broken(audit.runOnLatest(1_000))).isEmpty();
        assertThat(gauge(rule))
                .as("what the other audit has found is not forgotten")
                .isPositive();
        assertThat(broken(audit.run())).isEmpty();
        assertThat(gauge(rule)).isZero();
    }

    private static double gauge(String rule) {
        return service.getBean(MeterRegistry.class)
                .get("daybreak.invariant.violations")
                .tag("invariant", rule.substring(0, 2))
                .tag("rule", rule.substring(3))
                .gauge()
                .value();
    }

    private static List<String> broken(Mono<List<Finding>> findings) {
        return findings.block(PATIENCE).stream()
                .filter(finding -> finding.count() > 0)
                .map(finding -> finding.invariant() + " " + finding.rule())
                .toList();
    }
}
