package dev.daybreak.platform.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.r2dbc.core.DatabaseClient;

/** Instances come and go while patients book. The balancer of the test knows what {@code /readyz} says, and no more. */
@DaybreakTest
class RollingRestartTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(20);
    private static final int PATIENTS = 24;
    private static final int SLOTS = 40;
    private static final int CAPACITY = 1000;

    @Autowired
    ApplicationContext here;

    private final Balancer balancer = new Balancer();

    @AfterEach
    void stopWhatIsLeft() {
        balancer.close();
    }

    @Test
    void losesNoBookingAndNoSeatWhenEveryInstanceIsReplacedUnderLoad() throws Exception {
        Clinic clinic = new Clinic(here);
        List<Long> slots = clinic.slots(SLOTS, CAPACITY);
        ConfigurableApplicationContext one = balancer.add(instance());
        ConfigurableApplicationContext two = balancer.add(instance());
        var stop = new AtomicBoolean();
        var told = new ConcurrentHashMap<String, Long>();
        var refused = new ConcurrentHashMap<String, String>();

        try (var patients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < PATIENTS; i++) {
                running.add(patients.submit((Callable<Void>) () -> {
                    while (!stop.get()) {
                        bookOnce(slots, told, refused);
                    }
                    return null;
                }));
            }
            awaitBookings(told, 200);
            for (ConfigurableApplicationContext old : List.of(one, two)) {
                balancer.add(instance());
                long begun = System.nanoTime();
                old.close();
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(STOPS_WITHIN);
                awaitBookings(told, told.size() + 100);
            }
            stop.set(true);
            for (Future<?> patient : running) {
                patient.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        }

        assertThat(refused.values()).allMatch(code -> code.equals("409 SLOT_FULL"));
        assertThat(committed(slots)).isEqualTo(told);
        assertThat(slots).allMatch(slot -> clinic.bookedCount(slot) == clinic.active(slot));
        assertThat(slots).allMatch(slot -> clinic.events(slot) == clinic.appointments(slot));
        assertThat(clinic.brokenInvariants()).isEmpty();
        assertThat(balancer.failed())
                .as("requests that met an instance which had not said before that it goes away")
                .isZero();
    }

    private static void awaitBookings(Map<String, Long> told, int count) {
        await().atMost(PATIENCE).until(() -> told.size() >= count);
    }

    /** As a client does: the same key until there is an answer that settles it. */
    private void bookOnce(List<Long> slots, Map<String, Long> told, Map<String, String> refused)
            throws InterruptedException {
        long slot = slots.get(ThreadLocalRandom.current().nextInt(slots.size()));
        long patient = Clinic.newPatient();
        String key = Clinic.newKey();
        while (true) {
            Balancer.Answer answer = balancer.book(slot, patient, key);
            if (answer.status() == 201 || answer.status() == 200) {
                told.put(key, answer.id());
                Thread.sleep(25);
                return;
            }
            if (answer.status() != 503 && answer.status() != 0) {
                refused.put(key, answer.code());
                return;
            }
            Thread.sleep(20);
        }
    }

    private Map<String, Long> committed(List<Long> slots) {
        return here
                .getBean(DatabaseClient.class)
                .sql("SELECT idempotency_key, id FROM appointment WHERE status = 'BOOKED' AND slot_id = ANY (:slots)")
                .bind("slots", slots.toArray(Long[]::new))
                .map(row -> Map.entry(row.get("idempotency_key", String.class), row.get("id", Long.class)))
                .all()
                .collectList()
                .block(PATIENCE)
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private ConfigurableApplicationContext instance() {
        return TestServers.anotherInstance(here, "daybreak.rollout.drain=1s", "daybreak.rollout.warm-up=1s");
    }
}
