package dev.daybreak.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.TestServers;
import dev.daybreak.admin.InvariantAudit;
import dev.daybreak.admin.InvariantAudit.Finding;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import redis.embedded.RedisServer;

/** A rush on an instance whose own Redis dies, freezes, comes back or forgets everything in the middle. */
@DaybreakTest
class RedisOutageTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SLOTS = 10;
    private static final int CAPACITY = 20;

    /** Below this a 99th percentile says more about the machine than about Redis. */
    private static final double NOISE_MILLIS = 200;

    @Autowired
    ApplicationContext here;

    @Autowired
    InvariantAudit audit;

    int port;
    RedisServer redis;
    ConfigurableApplicationContext there;
    Clinic clinic;

    @BeforeEach
    void startAnInstanceWithARedisOfItsOwn() throws IOException {
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        startRedis();
        there = TestServers.anotherInstance(here, "spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + port);
        clinic = Clinic.at(there);
        await().atMost(PATIENCE).until(this::redisIsUsed);
    }

    @AfterEach
    void stop() throws IOException {
        there.close();
        redis.stop();
    }

    @Test
    void survivesTheDeathAndReturnOfRedis() {
        rush(redis::stop, this::startRedis);
    }

    @Test
    void survivesAFrozenRedis() {
        String pid = redisPid();
        rush(() -> signal("-STOP", pid), () -> signal("-CONT", pid));
    }

    @Test
    void survivesARedisThatForgetsEverything() {
        rush(this::flush, this::flush);
    }

    private interface Fault {
        void happen() throws IOException;
    }

    /** A visit: book, and whoever got a seat repeats the request as if the answer had been lost. */
    private record Visit(long at, double millis, int status, boolean retryWasRefused) {}

    private void rush(Fault fault, Fault repair) {
        List<Long> slots = clinic.slots(SLOTS, CAPACITY);
        visits(slots, Duration.ofSeconds(3)).block(PATIENCE); // fills the slots and warms up
        List<Long> fresh = clinic.slots(SLOTS, CAPACITY);
        var all = new ArrayList<>(slots);
        all.addAll(fresh);

        List<Visit> calm = visits(slots, Duration.ofSeconds(3)).block(PATIENCE);
        long begun = System.nanoTime();
        List<Visit> troubled = Mono.zip(
                        visits(all, Duration.ofSeconds(6)),
                        Mono.delay(Duration.ofMillis(500), Schedulers.boundedElastic())
                                .doOnNext(tick -> run(fault)),
                        Mono.delay(Duration.ofSeconds(4), Schedulers.boundedElastic())
                                .doOnNext(tick -> run(repair)))
                .block(PATIENCE)
                .getT1();

        assertThat(troubled).extracting(Visit::status).containsAnyOf(409).doesNotContain(500, 503);
        assertThat(troubled).noneMatch(Visit::retryWasRefused);
        long firstSecondOver = begun + Duration.ofMillis(1_500).toNanos();
        List<Visit> later =
                troubled.stream().filter(visit -> visit.at() > firstSecondOver).toList();
        assertThat(percentile99(later)).isLessThan(Math.max(1.5 * percentile99(calm), NOISE_MILLIS));
        assertThat(all)
                .allSatisfy(slot ->
                        assertThat(clinic.active(slot)).isEqualTo(CAPACITY).isEqualTo(clinic.bookedCount(slot)));
        assertThat(audit.run().block(PATIENCE)).extracting(Finding::count).containsOnly(0L);
        await().atMost(PATIENCE).until(this::redisIsUsed);
        double known = knownFull();
        await().atMost(PATIENCE).until(() -> {
            clinic.book(slots.getFirst(), Clinic.newPatient(), Clinic.newKey());
            return knownFull() > known;
        });
    }

    private Mono<List<Visit>> visits(List<Long> slots, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        return Flux.range(0, 32)
                .flatMap(visitor -> visit(slots).repeat(() -> System.nanoTime() < end), 32)
                .collectList();
    }

    private Mono<Visit> visit(List<Long> slots) {
        return Mono.defer(() -> {
            long slot = slots.get(ThreadLocalRandom.current().nextInt(slots.size()));
            long patient = Clinic.newPatient();
            String key = Clinic.newKey();
            long begun = System.nanoTime();
            return clinic.booking(slot, patient, key).flatMap(answer -> {
                double millis = (System.nanoTime() - begun) / 1e6;
                return answer.is(201)
                        ? clinic.booking(slot, patient, key)
                                .map(retried ->
                                        new Visit(begun, millis, 201, !retried.is(200) || retried.id() != answer.id()))
                        : Mono.just(new Visit(begun, millis, answer.status().value(), false));
            });
        });
    }

    private static double percentile99(List<Visit> visits) {
        var millis = new ArrayList<>(visits.stream().map(Visit::millis).toList());
        Collections.sort(millis);
        return millis.get(millis.size() * 99 / 100);
    }

    private boolean redisIsUsed() {
        return there.getBean(MeterRegistry.class)
                        .get("daybreak.redis.available")
                        .gauge()
                        .value()
                == 1;
    }

    private double knownFull() {
        return there.getBean(MeterRegistry.class)
                .get("daybreak.gate.decisions")
                .tag("decision", "known-full")
                .counter()
                .count();
    }

    private void startRedis() throws IOException {
        redis = RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .build();
        redis.start();
    }

    private String redisPid() {
        return redis().execute(connection -> connection.serverCommands().info("server"))
                .next()
                .block(PATIENCE)
                .getProperty("process_id");
    }

    private void flush() {
        redis().execute(connection -> connection.serverCommands().flushAll())
                .then()
                .subscribe();
    }

    private ReactiveStringRedisTemplate redis() {
        return there.getBean(ReactiveStringRedisTemplate.class);
    }

    private static void signal(String signal, String pid) throws IOException {
        new ProcessBuilder("kill", signal, pid).inheritIO().start();
    }

    private static void run(Fault fault) {
        try {
            fault.happen();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
