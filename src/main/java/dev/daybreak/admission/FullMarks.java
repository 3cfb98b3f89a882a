package dev.daybreak.admission;

import dev.daybreak.booking.Booking;
import dev.daybreak.booking.Occupancy;
import dev.daybreak.platform.redis.LuaScripts;
import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.platform.time.Recurring;
import dev.daybreak.schedule.SlotChanged;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Which slots are known to be full, kept in Redis for all instances.
 *
 * <p>A mark holds the idempotency keys of the slot's active appointments, so that a retry of one that got a seat still
 * reaches the database, and the patients who hold one, so that they find their hold again by whatever key. It lives no longer
 * than the first of the holds, whose seat is free from then on.
 *
 * <p>It is announced first, then the slot is read, and the mark is set only while its announcement stands; whoever frees a
 * seat commits first, and deletes mark and announcement then. So either the reading sees the change, or the deletion comes
 * after it and takes away the announcement or the mark: no order of the five leaves a mark on a slot with a free seat, or
 * one that lacks the key of somebody who got a seat since.
 */
final class FullMarks extends Recurring {

    private static final Logger LOG = LoggerFactory.getLogger(FullMarks.class);
    private static final RedisScript<Long> MARK = LuaScripts.load(FullMarks.class, "mark.lua", Long.class);
    /** Of a larger slot all keys cannot be told to Redis in a moment, and a mark without some would refuse their retries. */
    private static final int MOST_WINNERS = 1_000;

    private static final Duration PAUSE = Duration.ofMillis(250);

    private final ReactiveStringRedisTemplate redis;
    private final RedisCircuit circuit;
    private final Booking booking;
    private final Duration life;
    private final Clock clock;
    private final Pace marking;
    private final Map<Long, Long> toClear = new ConcurrentHashMap<>();

    FullMarks(
            ReactiveStringRedisTemplate redis,
            RedisCircuit circuit,
            Booking booking,
            AdmissionSettings settings,
            Clock clock) {
        super("Clearing marks of slots with free seats", PAUSE, PAUSE);
        this.redis = redis;
        this.circuit = circuit;
        this.booking = booking;
        this.life = settings.markLife();
        this.clock = clock;
        this.marking = new Pace(settings.recheck());
    }

    /** Marks a slot that was just found full, unless this instance did so a moment ago. Returns at once. */
    void mark(long slotId) {
        if (circuit.isAvailable() && marking.isDue(slotId)) {
            marked(slotId).subscribe(null, failure -> {
                LOG.debug("Could not mark slot {} as full: {}", slotId, failure.toString());
                clear(slotId);
            });
        }
    }

    /** Emits when the mark stands, or was not set because it would not have been right. */
    Mono<Void> marked(long slotId) {
        String announcement = Long.toHexString(ThreadLocalRandom.current().nextLong());
        return circuit.call(redis.opsForValue().set(GateKeys.announcement(slotId), announcement, life))
                .then(booking.occupancy(slotId, MOST_WINNERS + 1))
                .filter(occupancy -> occupancy.isFull() && occupancy.keys().size() <= MOST_WINNERS)
                .flatMap(occupancy -> set(slotId, announcement, occupancy));
    }

    private Mono<Void> set(long slotId, String announcement, Occupancy occupancy) {
        var arguments = new ArrayList<String>();
        arguments.add(announcement);
        arguments.add(Long.toString(Math.max(1, life(occupancy).toMillis())));
        arguments.addAll(occupancy.keys());
        occupancy.holders().forEach(patient -> arguments.add(GateKeys.holder(patient)));
        var keys = List.of(GateKeys.mark(slotId), GateKeys.announcement(slotId));
        return circuit.call(redis.execute(MARK, keys, arguments).then());
    }

    private Duration life(Occupancy occupancy) {
        Instant nextExpiry = occupancy.nextExpiry();
        if (nextExpiry == null) {
            return life;
        }
        Duration held = Duration.between(clock.instant(), nextExpiry);
        return held.compareTo(life) < 0 ? held : life;
    }

    @EventListener
    void on(SlotChanged change) {
        if (change.mayHaveOpened()) {
            clear(change.slot().id());
        }
    }

    /**
     * Deletes the mark, or keeps it from being set; when Redis is away, as soon as it is back, unless the mark has expired by
     * then. Returns at once.
     */
    void clear(long slotId) {
        marking.forget(slotId);
        toClear.put(slotId, System.nanoTime());
        delete(slotId).subscribe();
    }

    private Mono<Void> delete(long slotId) {
        return circuit.insist(redis.delete(GateKeys.mark(slotId), GateKeys.announcement(slotId)))
                .doOnNext(deleted -> toClear.remove(slotId))
                .onErrorComplete()
                .then();
    }

    /** Clears what could not be cleared before. */
    @Override
    protected Mono<?> work() {
        long expired = System.nanoTime() - life.toNanos();
        toClear.values().removeIf(since -> since - expired < 0);
        return circuit.isAvailable()
                ? Flux.fromIterable(List.copyOf(toClear.keySet()))
                        .flatMap(this::delete, 16)
                        .then()
                : Mono.empty();
    }

    /** As long as bookings may come, and cancellations; before the circuit ends. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 5_000;
    }
}
