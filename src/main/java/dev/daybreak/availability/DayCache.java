package dev.daybreak.availability;

import dev.daybreak.availability.day.DoctorDay;
import dev.daybreak.platform.redis.RedisCircuit;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.core.ReactiveRedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializationContext;
import org.springframework.data.redis.serializer.RedisSerializationContext.SerializationPair;
import org.springframework.data.redis.serializer.RedisSerializer;
import reactor.core.publisher.Mono;

/**
 * The lists of clinic days in Redis, one key a day. Never fails: a Redis that is slow, dead or talks nonsense is a cache that
 * has nothing.
 *
 * <p>A change puts a tombstone in place of the list. Who read the database before the change cannot store over it, since a
 * list is only stored where nothing is; and who took longer than a tombstone lives does not store at all. What is left
 * is a tombstone that never reached Redis: then a list may be wrong for as long as it lives, 4 seconds.
 */
final class DayCache {

    private static final Duration STORABLE = Tombstones.REPEAT.minusMillis(100);
    private static final int MAX_WRITES = 1_000;
    private static final ByteBuffer TOMBSTONE = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final ReactiveRedisTemplate<String, ByteBuffer> redis;
    private final RedisCircuit circuit;
    private final ListSettings settings;
    private final Clock clock;
    private final Tombstones tombstones = new Tombstones();
    private final AtomicInteger writes = new AtomicInteger();

    private final Counter hits;
    private final Counter misses;
    private final Counter errors;

    DayCache(
            ReactiveRedisConnectionFactory connections,
            RedisCircuit circuit,
            ListSettings settings,
            Clock clock,
            MeterRegistry meters) {
        this.redis = new ReactiveRedisTemplate<>(
                connections,
                RedisSerializationContext.<String, ByteBuffer>newSerializationContext(RedisSerializer.string())
                        .value(SerializationPair.byteBuffer())
                        .build());
        this.circuit = circuit;
        this.settings = settings;
        this.clock = clock;
        this.hits = counter(meters, "hit");
        this.misses = counter(meters, "miss");
        this.errors = counter(meters, "error");
    }

    static Counter counter(MeterRegistry meters, String result) {
        return Counter.builder("daybreak.slots.cache")
                .description("Slot lists by where they came from: an instance's copy, Redis (hit) or PostgreSQL")
                .baseUnit("lists")
                .tag("result", result)
                .register(meters);
    }

    /** Emits the list of the day if Redis has it and it still holds; completes empty otherwise. */
    Mono<DayList> find(DoctorDay day) {
        if (tombstones.stands(day) || !circuit.isAvailable()) {
            misses.increment();
            return Mono.empty();
        }
        return circuit.call(redis.opsForValue().get(key(day)))
                .mapNotNull(DayList::from)
                .filter(this::holds)
                .doOnSuccess(found -> (found == null ? misses : hits).increment())
                .onErrorResume(this::failed);
    }

    /** Stores the list unless it is too old by now. Does not wait. */
    void keep(DoctorDay day, DayList list, Duration loading) {
        long left = list.validUntil() - clock.millis();
        long ttl = Math.min(jittered(settings.ttl()), left);
        if (ttl > 0 && loading.compareTo(STORABLE) < 0 && circuit.isAvailable()) {
            write(
                    circuit.call(redis.opsForValue().setIfAbsent(key(day), list.toBytes(), Duration.ofMillis(ttl))),
                    () -> {});
        }
    }

    /** Makes sure that no list from before this call is served after it. Does not wait. */
    void invalidate(DoctorDay day) {
        if (tombstones.lay(day)) {
            write(
                    circuit.insist(redis.opsForValue().set(key(day), TOMBSTONE.duplicate(), Tombstones.LIFE)),
                    () -> tombstones.forget(day));
        }
    }

    private void write(Mono<Boolean> command, Runnable undone) {
        if (writes.incrementAndGet() > MAX_WRITES) {
            writes.decrementAndGet();
            errors.increment();
            undone.run();
            return;
        }
        var unused = command.onErrorResume(failure -> {
                    undone.run();
                    return failed(failure);
                })
                .doFinally(end -> writes.decrementAndGet())
                .toFuture();
    }

    private boolean holds(DayList list) {
        long now = clock.millis();
        return list.isValidAt(now) && now - list.loadedAt() < settings.ttl().toMillis();
    }

    private <T> Mono<T> failed(Throwable failure) {
        errors.increment();
        return Mono.empty();
    }

    private static long jittered(Duration ttl) {
        long millis = ttl.toMillis();
        return millis - ThreadLocalRandom.current().nextLong(millis / 4 + 1);
    }

    // In braces what Redis Cluster chooses the node by.
    private static String key(DoctorDay day) {
        return "slots:{" + day.doctorId() + ":" + day.date() + "}";
    }
}
