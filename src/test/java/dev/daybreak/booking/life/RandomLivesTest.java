package dev.daybreak.booking.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import dev.daybreak.embedded.MortalDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

/**
 * Many clients with random wishes at two instances while PostgreSQL crashes and recovers. In the end every answer of 2xx must be
 * found in the committed rows. {@code -Ddaybreak.history.seconds} says for how long.
 */
@DaybreakTest
class RandomLivesTest {

    private static final Logger LOG = LoggerFactory.getLogger(RandomLivesTest.class);

    private static final int SECONDS = Integer.getInteger("daybreak.history.seconds", 15);
    private static final long SEED = Long.getLong("daybreak.history.seed", 20_261_130);
    private static final int CLIENTS = 24;

    @Autowired
    ApplicationContext here;

    @Test
    void keepEveryPromiseThroughCrashesOfTheDatabase() throws Exception {
        try (var database = MortalDatabase.start();
                var one = TestServers.anotherInstance(here, properties(database));
                var other = TestServers.anotherInstance(here, properties(database))) {
            List<Clinic> clinics = List.of(Clinic.at(one), Clinic.at(other));
            List<Long> slots = slots(clinics.getFirst());
            Instant end = Instant.now().plusSeconds(SECONDS);
            List<Client> clients = IntStream.range(0, CLIENTS)
                    .mapToObj(i -> new Client(clinics, slots, new Random(SEED + i)))
                    .toList();

            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> lives = new ArrayList<>();
                clients.forEach(client -> lives.add(threads.submit(() -> client.liveUntil(end))));
                lives.add(threads.submit(() -> changeSlotsUntil(end, clinics.getLast(), slots)));
                int crashes = Math.max(1, SECONDS / 60);
                for (int i = 1; i <= crashes; i++) {
                    Instant crash = end.minusSeconds((long) SECONDS * (crashes + 1 - i) / (crashes + 1));
                    Thread.sleep(
                            Math.max(0, Duration.between(Instant.now(), crash).toMillis()));
                    database.crashAndRecover();
                }
                for (Future<?> life : lives) {
                    life.get();
                }
            }

            int promises = clients.stream().mapToInt(client -> client.promises).sum();
            LOG.info("{} answers of 2xx in {} s, seed {}", promises, SECONDS, SEED);
            assertThat(promises).isGreaterThan(100);
            assertThat(clients).allSatisfy(Client::assertPromisesKept);
            assertThat(clinics.getFirst().brokenInvariants()).isEmpty();
        }
    }

    private static String[] properties(MortalDatabase database) {
        var properties = new ArrayList<>(List.of(database.properties()));
        properties.addAll(
                List.of("daybreak.booking.hold=1s", "daybreak.booking.hold-cap=3s", "daybreak.booking.sweep=200ms"));
        return properties.toArray(String[]::new);
    }

    /** Small ones, so that seats are scarce, and at times that partly overlap. */
    private static List<Long> slots(Clinic clinic) {
        Instant first = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS);
        var slots = new ArrayList<Long>();
        for (int doctor = 0; doctor < 4; doctor++) {
            long id = clinic.doctor();
            for (int i = 0; i < 6; i++) {
                slots.add(clinic.slot(id, first.plus(Duration.ofMinutes(15L * i + 5L * doctor)), 1 + (i + doctor) % 4));
            }
        }
        return slots;
    }

    private static void changeSlotsUntil(Instant end, Clinic clinic, List<Long> slots) {
        var random = new Random(SEED - 1);
        while (Instant.now().isBefore(end)) {
            String slot = "/api/admin/slots/" + slots.get(random.nextInt(slots.size()));
            Map<String, Object> change = random.nextBoolean()
                    ? Map.of("closed", random.nextInt(4) == 0)
                    : Map.of("capacity", 1 + random.nextInt(5));
            var answer = clinic.send(HttpMethod.PATCH, slot, Map.of(), change);
            assertThat(answer.is(200) || answer.is(409) || answer.is(503))
                    .as("%s", answer)
                    .isTrue();
            pause(20);
        }
        await().atMost(Duration.ofSeconds(30))
                .until(() -> slots.stream()
                        .allMatch(slot -> clinic.send(
                                        HttpMethod.PATCH, "/api/admin/slots/" + slot, Map.of(), Map.of("closed", false))
                                .is(200)));
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
