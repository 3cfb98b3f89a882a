package dev.daybreak.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.Clinic;
import dev.daybreak.embedded.MortalDatabase;
import dev.daybreak.faults.Stage.Act;
import dev.daybreak.faults.Stage.Ordeal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What clients see of a fault, and that every word they were given is in the committed rows. {@code -Ddaybreak.faults.seconds} says how
 * long each lasts; {@code -Ddaybreak.faults.page} names the page to write the table into.
 */
class FaultsTest {

    private static final Duration LASTING = Duration.ofSeconds(Integer.getInteger("daybreak.faults.seconds", 2));

    private static final Ordeals ORDEALS = new Ordeals();
    private static SmallDisk disk;
    private static Stage stage;

    @BeforeAll
    static void open() throws Exception {
        disk = SmallDisk.create();
        stage = Stage.open(MortalDatabase.startIn(disk.folder()));
    }

    @AfterAll
    static void close() throws Exception {
        try (var here = disk;
                var all = stage) {
            Files.writeString(Path.of("target/faults.md"), ORDEALS.table());
            if (stage != null) {
                stage.assertEverythingIsPublished();
            }
            String page = System.getProperty("daybreak.faults.page", "");
            if (!page.isEmpty()) {
                ORDEALS.writeInto(Path.of(page));
            }
        }
    }

    @Test
    void allIsWell() throws Exception {
        Ordeal ordeal = suffer("none", Act.NOTHING, Act.NOTHING);

        assertThat(ordeal.words().keySet()).doesNotContain(Journal.Word.LATER);
    }

    @Test
    void anInstanceIsKilled() throws Exception {
        Instance victim = stage.instances.getFirst();

        suffer("one of two instances killed, then started again", victim::kill, victim::startAgain);
    }

    @Test
    void postgresCrashes() throws Exception {
        suffer("PostgreSQL crashes and recovers", stage.database::crash, stage.database::recover);
    }

    @Test
    void postgresFreezes() throws Exception {
        suffer("PostgreSQL frozen", stage.database::freeze, stage.database::thaw);
    }

    @Test
    void redisIsKilled() throws Exception {
        suffer("Redis killed, then started again", stage.redis::kill, stage.redis::recover);
    }

    @Test
    void redisFreezes() throws Exception {
        suffer("Redis frozen", stage.redis::freeze, stage.redis::thaw);
    }

    @Test
    void kafkaIsKilled() throws Exception {
        suffer("Kafka killed, then started again", stage.kafka::kill, stage.kafka::startAgain);

        stage.assertEverythingIsPublished();
    }

    @Test
    void theNetworkToPostgresIsCut() throws Exception {
        Instance victim = stage.instances.getFirst();

        suffer("connections of one instance to PostgreSQL cut", victim.toPostgres::cut, victim.toPostgres::resume);
    }

    @Test
    void theNetworkToPostgresSwallowsEverything() throws Exception {
        Instance victim = stage.instances.getFirst();

        suffer(
                "nothing arrives between one instance and PostgreSQL",
                victim.toPostgres::pause,
                victim.toPostgres::resume);
    }

    @Test
    void theNetworkToRedisIsCut() throws Exception {
        Instance victim = stage.instances.getFirst();

        suffer("connections of one instance to Redis cut", victim.toRedis::cut, victim.toRedis::resume);
    }

    @Test
    void theNetworkToRedisSwallowsEverything() throws Exception {
        Instance victim = stage.instances.getFirst();

        suffer("nothing arrives between one instance and Redis", victim.toRedis::pause, victim.toRedis::resume);
    }

    @Test
    void theDiskIsFull() throws Exception {
        Assumptions.assumeTrue(disk.canBeFull(), "a disk to fill: mounting a tmpfs is not allowed here");

        suffer("disk of the data folder full", disk::fill, () -> {
            disk.empty();
            stage.database.recover();
        });
    }

    @Test
    void clocksJump() throws Exception {
        suffer(
                "clock of one instance an hour ahead, of the other an hour behind",
                () -> {
                    stage.instances.getFirst().skewClock(Duration.ofHours(1));
                    stage.instances.getLast().skewClock(Duration.ofHours(-1));
                },
                () -> {
                    stage.instances.getFirst().skewClock(Duration.ZERO);
                    stage.instances.getLast().skewClock(Duration.ZERO);
                });
    }

    @Test
    void clientsLeaveWithoutWaiting() throws Exception {
        List<Long> slots = stage.clinics.getFirst().slots(20, 1000);
        var storm = new ArrayList<Leavers>();

        suffer(
                "a hundred clients at a time leave without waiting",
                () -> storm.add(new Leavers(stage.instances, slots)),
                () -> storm.forEach(Leavers::close));

        long booked = slots.stream().mapToLong(stage.clinics.getFirst()::active).sum();
        assertThat(booked).as("what was in the service's hands when they left").isPositive();
    }

    @Test
    void anInstanceIsKilledWhileEverybodyWantsTheSameSeats() throws Exception {
        Clinic clinic = stage.clinics.getFirst();
        List<Long> slots = clinic.slots(10, 10);
        var journal = new Journal();
        var booked = new AtomicInteger();
        Instance victim = stage.instances.getLast();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var patients = new ArrayList<Future<?>>();
            for (int i = 0; i < 400; i++) {
                var patient = new Client(stage.clinics, slots, new Random(i), journal);
                long slot = slots.get(i % slots.size());
                patients.add(threads.submit(() -> {
                    if (patient.book(Clinic.newPatient(), slot)) {
                        booked.incrementAndGet();
                    }
                }));
            }
            while (booked.get() < 10) {
                Stage.pause(Duration.ofMillis(1));
            }
            victim.kill();
            for (Future<?> patient : patients) {
                patient.get(90, TimeUnit.SECONDS);
            }
        } finally {
            victim.startAgain();
        }

        assertThat(booked).hasValue(100);
        assertThat(slots).allSatisfy(slot -> {
            assertThat(clinic.bookedCount(slot)).isEqualTo(10);
            assertThat(clinic.active(slot)).isEqualTo(10);
            assertThat(clinic.events(slot)).isEqualTo(10);
        });
        Committed.read(stage.rows).assertAgreesWith(journal);
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    private static Ordeal suffer(String fault, Act begin, Act end) throws Exception {
        return ORDEALS.add(stage.suffer(fault, LASTING, begin, end));
    }
}
