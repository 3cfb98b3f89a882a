package dev.daybreak.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.embedded.MortalDatabase;
import dev.daybreak.embedded.MortalRedis;
import dev.daybreak.faults.Journal.Word;
import io.r2dbc.spi.ConnectionFactories;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.springframework.r2dbc.core.DatabaseClient;

/** Two instances in processes of their own, on a PostgreSQL, a Redis and a Kafka that fail when they are told to. */
final class Stage implements AutoCloseable {

    private static final int CLIENTS = 16;
    private static final Duration CALM = Duration.ofSeconds(1);
    private static final Duration RECOVERY = Duration.ofSeconds(60);
    private static final long SEED = Long.getLong("daybreak.faults.seed", 20_261_130);

    final MortalDatabase database;
    final MortalRedis redis;
    final MortalKafka kafka;
    final List<Instance> instances;
    final DatabaseClient rows;
    final List<Clinic> clinics;

    /** Something that begins or ends a fault. */
    interface Act {

        Act NOTHING = () -> {};

        void play() throws Exception;
    }

    private Stage(MortalDatabase database, MortalRedis redis, MortalKafka kafka) throws IOException {
        this.database = database;
        this.redis = redis;
        this.kafka = kafka;
        this.instances = List.of(
                Instance.launch(database.port(), redis.port(), kafka.address()),
                Instance.launch(database.port(), redis.port(), kafka.address()));
        this.rows = DatabaseClient.create(ConnectionFactories.get(
                "r2dbc:postgresql://postgres:none@127.0.0.1:%d/daybreak".formatted(database.port())));
        this.clinics = instances.stream()
                .map(instance -> Clinic.remote(rows, instance.url()))
                .toList();
    }

    static Stage open(MortalDatabase database) throws Exception {
        List<AutoCloseable> opened = new ArrayList<>(List.of(database));
        try {
            MortalRedis redis = MortalRedis.start();
            opened.add(redis);
            MortalKafka kafka = MortalKafka.start();
            opened.add(kafka);
            var stage = new Stage(database, redis, kafka);
            opened.addAll(stage.instances);
            stage.instances.forEach(Instance::awaitStarted);
            return stage;
        } catch (Exception | AssertionError e) {
            for (AutoCloseable each : opened.reversed()) {
                each.close();
            }
            throw e;
        }
    }

    /** Lets clients live while the fault begins, lasts and ends, and compares what they were told with what was committed. */
    Ordeal suffer(String fault, Duration lasting, Act begin, Act end) throws Exception {
        var journal = new Journal();
        var open = new AtomicBoolean(true);
        List<Long> slots = slots(clinics.getFirst());
        List<Client> clients = IntStream.range(0, CLIENTS)
                .mapToObj(i -> new Client(clinics, slots, new Random(SEED + i), journal))
                .toList();
        Instant began;
        Instant ended;
        Instant recovered;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> lives = new ArrayList<>();
            clients.forEach(client -> lives.add(threads.submit(() -> client.liveWhile(open::get))));
            try {
                pause(CALM);
                began = Instant.now();
                begin.play();
                pause(lasting);
                ended = Instant.now();
                end.play();
                recovered = recovery(journal, ended);
                pause(CALM);
            } finally {
                open.set(false);
            }
            join(lives);
        }
        assertThat(journal.successes()).as("2xx").isGreaterThan(100);
        Committed committed = Committed.read(rows);
        long found = committed.assertAgreesWith(journal);
        int promises = clients.stream()
                .mapToInt(client -> client.assertPromisesKept(committed.byId()))
                .sum();
        assertThat(clinics.getFirst().brokenInvariants()).isEmpty();
        return new Ordeal(
                fault,
                Duration.between(began, ended),
                journal.words(began, recovered),
                journal.silence(began, recovered),
                Duration.between(ended, recovered),
                found,
                promises);
    }

    void assertEverythingIsPublished() {
        Published.assertEverything(kafka, clinics.getFirst(), rows);
    }

    /**
     * @param words what clients heard from the beginning until everything worked again
     * @param silence the longest time without a 2xx from any instance
     * @param recovery from the end of the fault until every instance had answered 2xx
     * @param found requests answered 503 or not at all that had been committed
     * @param promises appointments that clients were told of, all of them found as told
     */
    record Ordeal(
            String fault,
            Duration lasted,
            java.util.Map<Word, Long> words,
            Duration silence,
            Duration recovery,
            long found,
            int promises) {}

    private Instant recovery(Journal journal, Instant ended) {
        return IntStream.range(0, instances.size())
                .mapToObj(instance -> await("instance " + instance + " answers again")
                        .atMost(RECOVERY)
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> journal.success(instance, ended), java.util.Optional::isPresent)
                        .orElseThrow())
                .max(Instant::compareTo)
                .orElseThrow();
    }

    private static void join(List<Future<?>> lives) throws InterruptedException, TimeoutException, ExecutionException {
        for (Future<?> life : lives) {
            life.get(RECOVERY.plusSeconds(10).toSeconds(), TimeUnit.SECONDS);
        }
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

    static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (Instance instance : instances) {
            instance.close();
        }
        kafka.close();
        redis.close();
        database.close();
    }
}
