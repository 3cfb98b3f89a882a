package dev.daybreak.outbox;

import static dev.daybreak.outbox.Outbox.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.Clinic.Answer;
import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Flux;

/** Events without a broker: from the table straight to the consumers of the process. */
@DaybreakTest
class RelayTest {

    @Autowired
    ApplicationContext servers;

    Outbox outbox;

    @BeforeEach
    void aDatabaseOfItsOwn() {
        Probe.reset();
        outbox = new Outbox(servers);
    }

    @AfterEach
    void stop() {
        outbox.close();
    }

    @Test
    void deliversEachChangeOfAnAppointmentOnceAndInOrder() {
        Clinic clinic = Clinic.at(outbox.start("daybreak.test.probe=a"));
        List<Long> slots = clinic.slots(2, 5);

        Answer held = clinic.hold(slots.getFirst(), Clinic.newPatient(), Clinic.newKey());
        clinic.confirm(held.id(), held.token());
        clinic.move(held.id(), slots.getLast());
        clinic.cancel(held.id());

        String id = Long.toString(held.id());
        await().atMost(PATIENCE).until(() -> Probe.taken(id).size() == 4);
        assertThat(Probe.taken(id))
                .extracting(OutboxEvent::type)
                .containsExactly("AppointmentHeld", "AppointmentConfirmed", "AppointmentMoved", "AppointmentCancelled");
        assertThat(Probe.taken(id))
                .allSatisfy(event -> assertThat(event.payload()).contains("\"schemaVersion\": 1"));
        Outbox.awaitDrained(clinic);
        assertThat(clinic.number("SELECT count(*) FROM outbox_event WHERE attempts <> 1"))
                .isZero();
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void deliversOneEventOfAHundredRequestsWithOneKey() {
        Clinic clinic = Clinic.at(outbox.start("daybreak.test.probe=a"));
        long slot = clinic.slot(10);
        long patient = Clinic.newPatient();
        String key = Clinic.newKey();

        List<Answer> answers = Flux.range(0, 100)
                .flatMap(i -> clinic.booking(slot, patient, key), 100)
                .collectList()
                .block(PATIENCE);

        assertThat(answers).allMatch(answer -> answer.is(201) || answer.is(200));
        await().atMost(PATIENCE).until(() -> !Probe.taken().isEmpty());
        Outbox.awaitDrained(clinic);
        assertThat(Probe.taken()).hasSize(1);
    }

    @Test
    void letsTheRestFlowWhileAPoisonEventBecomesADeadLetterAndDeliversItAgainWhenStaffSay() {
        ConfigurableApplicationContext instance =
                outbox.start("daybreak.test.probe=a", "daybreak.outbox.max-attempts=4");
        Clinic clinic = Clinic.at(instance);
        Probe.refuses = event -> event.payload().contains("\"n\": 7,");

        Outbox.write(clinic, 60, 10); // 7, 17, 27 and so on are of one aggregate
        Outbox.awaitDrained(clinic);

        List<OutboxEvent> refused = Probe.SEEN.stream()
                .filter(Probe.Seen::refused)
                .map(Probe.Seen::event)
                .toList();
        assertThat(refused).as("as often as it may fail").hasSize(4);
        assertThat(refused.stream().map(OutboxEvent::id).distinct()).hasSize(1);
        Outbox.assertOnceAndInOrder(Probe.taken(), 59);
        assertThat(Probe.SEEN.stream()
                        .map(seen -> seen.event().aggregateId())
                        .filter("p7"::equals)
                        .limit(4))
                .as("what follows of its aggregate waits for the verdict")
                .hasSize(4);
        assertThat(Outbox.metric(instance, "daybreak.outbox.died")).isEqualTo(1);
        assertThat(Outbox.metric(instance, "daybreak.outbox.published")).isEqualTo(59);

        Answer list = clinic.get("/api/admin/outbox/dead-letters");
        Map<?, ?> letter = (Map<?, ?>) ((List<?>) list.body().get("list")).getFirst();
        assertThat(letter.get("eventId")).isEqualTo(refused.getFirst().id().toString());
        assertThat(letter.get("error").toString()).contains("refused by the probe");
        assertThat(letter.get("attempts")).isEqualTo(4);

        Probe.refuses = event -> false;
        String replay = "/api/admin/outbox/dead-letters/" + letter.get("id") + "/replay";
        assertThat(clinic.send(HttpMethod.POST, replay, Map.of(), null).is(202)).isTrue();
        await().atMost(PATIENCE).until(() -> Probe.taken().size() == 60);
        assertThat(Probe.taken().getLast().id()).isEqualTo(refused.getFirst().id());
        assertThat(clinic.send(HttpMethod.POST, replay, Map.of(), null).code()).isEqualTo("DEAD_LETTER_NOT_FOUND");
        assertThat(clinic.number(
                        "SELECT count(*) FROM audit_entry WHERE action = 'dead-letter.replay' AND subject_id = "
                                + letter.get("id")))
                .isEqualTo(1);
        assertThat(clinic.send(HttpMethod.POST, "/api/admin/outbox/dead-letters/x/replay", Map.of(), null)
                        .is(400))
                .isTrue();
    }

    @Test
    void carriesTenThousandEventsByTwoInstancesOnceEachAndInOrder() {
        ConfigurableApplicationContext first = outbox.start("daybreak.test.probe=a");
        ConfigurableApplicationContext second = outbox.start("daybreak.test.probe=b");
        Clinic clinic = Clinic.at(first);
        await().atMost(PATIENCE)
                .until(() -> Outbox.metric(first, "daybreak.outbox.partitions") == 8
                        && Outbox.metric(second, "daybreak.outbox.partitions") == 8);

        long start = System.nanoTime();
        Outbox.write(clinic, 10_000, 2_500);
        Outbox.awaitDrained(clinic);
        System.out.printf("in-process, two instances: %,.0f events/s%n", 10_000 / ((System.nanoTime() - start) / 1e9));

        Outbox.assertOnceAndInOrder(Probe.taken(), 10_000);
        assertThat(Probe.SEEN.stream().map(Probe.Seen::probe).distinct()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void leavesItsPartitionsToOthersWhenItStops() {
        ConfigurableApplicationContext first = outbox.start("daybreak.test.probe=a");
        ConfigurableApplicationContext second = outbox.start("daybreak.test.probe=b");
        await().atMost(PATIENCE).until(() -> Outbox.metric(second, "daybreak.outbox.partitions") == 8);
        Clinic clinic = Clinic.at(second);

        Outbox.write(clinic, 4_000, 1_000);
        first.close();

        Outbox.awaitDrained(clinic);
        await().atMost(PATIENCE).until(() -> Outbox.metric(second, "daybreak.outbox.partitions") == 16);
        Outbox.assertOnceAndInOrder(Probe.taken(), 4_000);
    }

    @Test
    void leavesItsPartitionsToOthersWhileItIsPaused() {
        ConfigurableApplicationContext first = outbox.start("daybreak.test.probe=a");
        ConfigurableApplicationContext second = outbox.start("daybreak.test.probe=b");
        await().atMost(PATIENCE).until(() -> Outbox.metric(second, "daybreak.outbox.partitions") == 8);

        first.stop();
        await().atMost(PATIENCE).until(() -> Outbox.metric(second, "daybreak.outbox.partitions") == 16);
        Outbox.write(Clinic.at(second), 1_000, 200);
        Outbox.awaitDrained(Clinic.at(second));
        assertThat(Probe.SEEN.stream().map(Probe.Seen::probe).distinct()).containsExactly("b");

        first.start();
        await().atMost(PATIENCE)
                .until(() -> Outbox.metric(first, "daybreak.outbox.partitions") == 8
                        && Outbox.metric(second, "daybreak.outbox.partitions") == 8);
        Outbox.write(Clinic.at(second), 1_000, 200);
        Outbox.awaitDrained(Clinic.at(second));
        Outbox.assertOnceAndInOrder(Probe.taken(), 2_000);
    }

    @Test
    void letsARushOfBookingsPassFirstAndThenCarriesAll() {
        Clinic clinic = Clinic.at(outbox.start("daybreak.test.probe=a", "daybreak.outbox.patience=1h"));
        Load.offer(clinic, Duration.ofSeconds(2));
        Outbox.awaitDrained(clinic);

        long before = clinic.number("SELECT max(seq) FROM outbox_event");
        Load rush = Load.offer(clinic, Duration.ofSeconds(4));
        // Each statement of the relay marks with one time. Without rest it would be a hundred and more.
        long statements = clinic.number("SELECT count(DISTINCT published_at) FROM outbox_event WHERE seq > " + before);

        assertThat(statements).as("during %s", rush).isLessThan(80);
        Outbox.awaitDrained(clinic);
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void carriesWhatHasWaitedLongEnoughThoughTheRushGoesOn() {
        Clinic clinic = Clinic.at(outbox.start("daybreak.test.probe=a", "daybreak.outbox.patience=500ms"));
        Load.offer(clinic, Duration.ofSeconds(2));
        Outbox.awaitDrained(clinic);

        Load rush = Load.offer(clinic, Duration.ofSeconds(8));

        assertThat(Outbox.waiting(clinic)).as("of %s", rush).isLessThan(rush.bookings() / 2);
        Outbox.awaitDrained(clinic);
    }

    @Test
    void takesItsPartitionsAgainAfterItHasLostItsConnections() {
        ConnectionFactoryOptions postgres =
                servers.getBean(R2dbcConnectionDetails.class).getConnectionFactoryOptions();
        try (var proxy =
                FaultyProxy.to(postgres.getValue(ConnectionFactoryOptions.HOST).toString(), (Integer)
                        postgres.getValue(ConnectionFactoryOptions.PORT))) {
            String name = outbox.database().substring(outbox.database().lastIndexOf('/') + 1);
            ConfigurableApplicationContext behind = outbox.start(
                    "daybreak.test.probe=a",
                    "spring.r2dbc.url=r2dbc:postgresql://127.0.0.1:" + proxy.port() + "/" + name);
            Clinic direct = Clinic.at(outbox.start("daybreak.outbox.relay=false"));
            await().atMost(PATIENCE).until(() -> Outbox.metric(behind, "daybreak.outbox.partitions") == 16);

            Outbox.write(direct, 3_000, 500);
            proxy.cut();
            await().atMost(PATIENCE).until(() -> Outbox.metric(behind, "daybreak.outbox.partitions") == 0);
            proxy.resume();

            Outbox.awaitDrained(direct);
            Outbox.assertInOrder(Probe.taken());
            assertThat(Probe.taken().stream().map(OutboxEvent::id).distinct()).hasSize(3_000);
        }
    }

    @Test
    void letsNoOtherAggregateWaitForAConsumerThatHangs() {
        ConfigurableApplicationContext instance =
                outbox.start("daybreak.outbox.delivery-timeout=2s", "daybreak.test.probe=a");
        Clinic clinic = Clinic.at(instance);
        Probe.refuses = event -> {
            if (event.aggregateId().equals("p3")) {
                try {
                    Thread.sleep(10_000);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return false;
        };

        Outbox.write(clinic, 100, 100);

        await().atMost(Duration.ofSeconds(20)).until(() -> Probe.taken().size() >= 99);
    }

    @Test
    void removesPublishedEventsAfterTheirTimeAndTheAuditStillMissesWhatIsLost() {
        ConfigurableApplicationContext instance = outbox.start("daybreak.test.probe=a", "daybreak.outbox.retention=0s");
        Clinic clinic = Clinic.at(instance);
        long slot = clinic.slot(100);
        Answer early = clinic.book(slot, Clinic.newPatient(), Clinic.newKey());
        for (int i = 0; i < 20; i++) {
            clinic.book(slot, Clinic.newPatient(), Clinic.newKey());
        }
        Outbox.awaitDrained(clinic);
        clinic.execute("UPDATE outbox_event SET dead_at = now() WHERE aggregatetype = 'appointment' AND aggregateid = '"
                + early.id() + "'");

        instance.getBean(OutboxPruner.class).prune().block(PATIENCE);

        assertThat(clinic.number("SELECT count(*) FROM outbox_event"))
                .as("the dead letter")
                .isEqualTo(1);
        assertThat(clinic.number("SELECT events FROM outbox_pruned")).isEqualTo(20);
        assertThat(clinic.brokenInvariants()).isEmpty();

        clinic.execute("""
                WITH made AS (INSERT INTO room (name, seats) VALUES ('Pruned', 1) RETURNING id),
                kept AS (
                    INSERT INTO reservation (room_id, start_at, end_at, name, password_hash, created_at)
                    SELECT id, now(), now() + interval '1 hour', 'x', 'x', now() - interval '1 hour' FROM made RETURNING id)
                INSERT INTO outbox_event (aggregatetype, aggregateid, type, payload, created_at)
                SELECT 'reservation', id::text, 'ReservationCreated', '{}', now() - interval '1 hour' FROM kept""");
        Outbox.awaitDrained(clinic);
        instance.getBean(OutboxPruner.class).prune().block(PATIENCE);
        assertThat(clinic.number("SELECT count(*) FROM outbox_event WHERE aggregatetype = 'reservation'"))
                .isZero();
        assertThat(clinic.brokenInvariants()).isEmpty();

        clinic.cancel(early.id());
        Answer late = clinic.book(slot, Clinic.newPatient(), Clinic.newKey());
        assertThat(clinic.brokenInvariants()).isEmpty();

        clinic.execute("DELETE FROM outbox_event WHERE type = 'AppointmentCancelled'");
        assertThat(clinic.brokenInvariants())
                .as("an event of an old appointment")
                .hasSize(1);
        clinic.execute(
                "DELETE FROM outbox_event WHERE aggregatetype = 'appointment' AND aggregateid = '" + late.id() + "'");
        assertThat(clinic.brokenInvariants()).as("and of a new one").hasSize(2);
    }
}
