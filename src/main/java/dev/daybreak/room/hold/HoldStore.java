package dev.daybreak.room.hold;

import dev.daybreak.platform.redis.LuaScripts;
import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.platform.redis.RedisUnavailable;
import dev.daybreak.room.TimeRange;
import dev.daybreak.room.hold.HoldOutcome.AtItsLimit;
import dev.daybreak.room.hold.HoldOutcome.Extended;
import dev.daybreak.room.hold.HoldOutcome.Held;
import dev.daybreak.room.hold.HoldOutcome.NoSuchHold;
import dev.daybreak.room.hold.HoldOutcome.Released;
import dev.daybreak.room.hold.HoldOutcome.TakenByHold;
import dev.daybreak.room.hold.HoldOutcome.TooMany;
import dev.daybreak.room.hold.HoldOutcome.WrongToken;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Range;
import org.springframework.data.domain.Range.Bound;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;
import org.springframework.data.redis.core.script.RedisScript;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Holds in Redis. Each cell of a room's time names the hold that has it and when that expires; the service's clock decides
 * whether it has, and Redis's own expiry only cleans up. Every method errors when Redis does not answer.
 */
final class HoldStore {

    @SuppressWarnings("rawtypes")
    private static final RedisScript<List> HOLD = LuaScripts.load(HoldStore.class, "hold.lua", List.class);

    @SuppressWarnings("rawtypes")
    private static final RedisScript<List> EXTEND = LuaScripts.load(HoldStore.class, "extend.lua", List.class);

    private static final RedisScript<Long> RELEASE = LuaScripts.load(HoldStore.class, "release.lua", Long.class);
    private static final RedisScript<Long> ADMIT = LuaScripts.load(HoldStore.class, "admit.lua", Long.class);
    private static final RedisScript<Long> CLAIM = LuaScripts.load(HoldStore.class, "claim.lua", Long.class);
    private static final RedisScript<Long> LET_GO = LuaScripts.load(HoldStore.class, "let_go.lua", Long.class);

    private static final Duration DAY = Duration.ofDays(1);
    /** The clocks of instances differ, and of two entries for a room the later may say the earlier time. */
    private static final Duration SKEW = Duration.ofMinutes(1);

    private static final int ROOMS_AT_ONCE = 16;
    private static final int MOST_OF_A_ROOM = 1_000;

    private final ReactiveStringRedisTemplate redis;
    private final RedisCircuit circuit;
    private final RoomKeys keys;
    private final RoomHoldSettings settings;
    private final Duration claimLife;
    private final Clock clock;

    /**
     * What is known of a hold before its token has been checked.
     *
     * @param client who made it
     */
    record Known(TimeRange range, String client) {}

    /** @param claimLife how long a claim stands if nobody lets it go, longer than making a reservation takes */
    HoldStore(
            ReactiveStringRedisTemplate redis,
            RedisCircuit circuit,
            RoomKeys keys,
            RoomHoldSettings settings,
            Duration claimLife,
            Clock clock) {
        this.redis = redis;
        this.circuit = circuit;
        this.keys = keys;
        this.settings = settings;
        this.claimLife = claimLife;
        this.clock = clock;
    }

    /** Emits Held, TakenByHold or TooMany. */
    Mono<HoldOutcome> hold(long roomId, TimeRange range, HoldKey key, String client) {
        Instant now = clock.instant();
        Instant expiry = now.plus(settings.life());
        return entered(roomId, expiry)
                .then(admitted(key.id(), client, now, expiry))
                .flatMap(wait -> wait > 0
                        ? Mono.just(new TooMany(Duration.ofMillis(wait)))
                        : acquired(roomId, range, key, client, now, expiry)
                                .flatMap(outcome -> outcome instanceof Held
                                        ? Mono.just(outcome)
                                        : forget(key.id(), client).thenReturn(outcome)));
    }

    /** Before it is held: a room of which nothing is held in the end costs whoever reads all holds a look. */
    private Mono<Void> entered(long roomId, Instant expiry) {
        double until = expiry.plus(SKEW).toEpochMilli();
        return call(redis.opsForZSet().add(RoomKeys.ROOMS, Long.toString(roomId), until))
                .then();
    }

    private Mono<Long> admitted(long holdId, String client, Instant now, Instant expiry) {
        return run(
                ADMIT,
                List.of(RoomKeys.client(client)),
                List.of(Long.toString(holdId), millis(now), millis(expiry), Integer.toString(settings.atOnce())));
    }

    /** Whatever becomes of it: it expires as well. */
    private Mono<Void> forget(long holdId, String client) {
        return circuit.call(redis.opsForZSet().remove(RoomKeys.client(client), Long.toString(holdId)))
                .onErrorComplete()
                .then();
    }

    private Mono<HoldOutcome> acquired(
            long roomId, TimeRange range, HoldKey key, String client, Instant now, Instant expiry) {
        var names = new ArrayList<String>();
        names.add(keys.holds(roomId));
        names.add(keys.claims(roomId));
        names.add(keys.hold(roomId, key.id()));
        names.add(keys.turns(roomId, client));
        names.addAll(keys.cells(roomId, range));
        var arguments = List.of(
                Long.toString(key.id()),
                key.hash(),
                seconds(range.start()),
                seconds(range.end()),
                millis(now),
                millis(expiry),
                Integer.toString(settings.aDay()),
                Long.toString(DAY.toMillis()),
                client);
        return run(HOLD, names, arguments).map(answer -> switch ((int) number(answer, 0)) {
            case 0 -> new Held(new HeldRange(key.id(), roomId, range, Instant.ofEpochMilli(number(answer, 1))), key);
            case 1 -> new TakenByHold();
            default -> new TooMany(Duration.ofMillis(number(answer, 1)));
        });
    }

    /** Emits what the hold is of. Empty if there is none. */
    Mono<Known> find(long roomId, long holdId) {
        return call(redis.opsForHash()
                        .multiGet(keys.hold(roomId, holdId), List.of("start", "end", "by"))
                        .filter(fields -> fields.stream().allMatch(Objects::nonNull)))
                .map(fields -> new Known(
                        range(fields.get(0).toString(), fields.get(1).toString()),
                        fields.get(2).toString()));
    }

    /** Emits Extended, AtItsLimit, WrongToken or NoSuchHold. */
    Mono<HoldOutcome> extend(long roomId, Known hold, HoldKey key) {
        Instant now = clock.instant();
        var names = new ArrayList<String>();
        names.add(keys.holds(roomId));
        names.add(keys.hold(roomId, key.id()));
        names.addAll(keys.cells(roomId, hold.range()));
        var arguments = List.of(
                Long.toString(key.id()),
                key.hash(),
                millis(now),
                millis(now.plus(settings.life())),
                Long.toString(settings.cap().toMillis()));
        return run(EXTEND, names, arguments).flatMap(answer -> {
            Instant expiry = Instant.ofEpochMilli(number(answer, 1));
            return switch ((int) number(answer, 0)) {
                case 0 ->
                    entered(roomId, expiry)
                            .then(admitted(key.id(), hold.client(), now, expiry))
                            .onErrorComplete() // it is extended, whatever the lists say
                            .thenReturn(new Extended(new HeldRange(key.id(), roomId, hold.range(), expiry)));
                case 1 -> Mono.just(new NoSuchHold());
                case 2 -> Mono.just(new WrongToken());
                default -> Mono.just(new AtItsLimit(expiry));
            };
        });
    }

    /**
     * Emits Released, WrongToken or NoSuchHold.
     *
     * @param used whether it became a reservation, and so does not count among those of its client
     */
    Mono<HoldOutcome> release(long roomId, Known hold, HoldKey key, boolean used) {
        var names = new ArrayList<String>();
        names.add(keys.holds(roomId));
        names.add(keys.hold(roomId, key.id()));
        names.add(keys.turns(roomId, hold.client()));
        names.addAll(keys.cells(roomId, hold.range()));
        var arguments = List.of(Long.toString(key.id()), key.hash(), millis(clock.instant()), used ? "1" : "0");
        return circuit.insist(redis.execute(RELEASE, names, arguments).next())
                .flatMap(answer -> switch (answer.intValue()) {
                    case 0 -> forget(key.id(), hold.client()).thenReturn(new Released());
                    case 1 -> Mono.just(new NoSuchHold());
                    default -> Mono.just(new WrongToken());
                });
    }

    /**
     * Emits whether a part of the range is held, but not by this key; if it is not, nobody can begin to hold it until the claim
     * is let go.
     */
    Mono<Boolean> claim(long roomId, TimeRange range, @Nullable HoldKey key) {
        long own = key == null ? 0 : key.id();
        var names = new ArrayList<String>();
        names.add(keys.claims(roomId));
        names.add(keys.hold(roomId, own));
        names.addAll(keys.cells(roomId, range));
        var arguments = List.of(
                Long.toString(own),
                key == null ? "" : key.hash(),
                millis(clock.instant()),
                seconds(range.start()),
                seconds(range.end()),
                Long.toHexString(ThreadLocalRandom.current().nextLong()),
                Long.toString(claimLife.toMillis()));
        return run(CLAIM, names, arguments).map(answer -> answer == 1);
    }

    Mono<Void> letGo(long roomId, TimeRange range) {
        var arguments = List.of(seconds(range.start()), seconds(range.end()));
        return circuit.insist(
                redis.execute(LET_GO, List.of(keys.claims(roomId)), arguments).then());
    }

    /** Emits what is held of all rooms now. */
    Mono<List<HeldRange>> all() {
        return call(redis.opsForZSet()
                        .rangeByScore(RoomKeys.ROOMS, unexpired())
                        .map(Long::parseLong)
                        .collectList())
                .flatMapMany(Flux::fromIterable)
                .flatMapDelayError(this::of, ROOMS_AT_ONCE, 1)
                .collectList();
    }

    private Flux<HeldRange> of(long roomId) {
        return call(redis.opsForZSet()
                        .rangeByScoreWithScores(keys.holds(roomId), unexpired())
                        .take(MOST_OF_A_ROOM)
                        .map(entry -> held(roomId, entry))
                        .collectList())
                .flatMapMany(Flux::fromIterable);
    }

    private Range<Double> unexpired() {
        return Range.rightUnbounded(Bound.exclusive((double) clock.millis()));
    }

    private static HeldRange held(long roomId, TypedTuple<String> entry) {
        String[] parts = Objects.requireNonNull(entry.getValue()).split(":", -1);
        long expiry = Objects.requireNonNull(entry.getScore()).longValue();
        return new HeldRange(Long.parseLong(parts[0]), roomId, range(parts[1], parts[2]), Instant.ofEpochMilli(expiry));
    }

    private <T> Mono<T> run(RedisScript<T> script, List<String> names, List<String> arguments) {
        return call(redis.execute(script, names, arguments).next());
    }

    /** All that is called by this may be repeated, and a lost answer would leave a hold that nobody has the token of. */
    private <T> Mono<T> call(Mono<T> command) {
        return circuit.call(command)
                .retryWhen(Retry.max(1)
                        .filter(failure -> !(failure instanceof RedisUnavailable))
                        .onRetryExhaustedThrow((spec, signal) -> signal.failure()));
    }

    private static TimeRange range(String start, String end) {
        return new TimeRange(Instant.ofEpochSecond(Long.parseLong(start)), Instant.ofEpochSecond(Long.parseLong(end)));
    }

    private static long number(List<?> answer, int place) {
        return (Long) Objects.requireNonNull(answer.get(place));
    }

    private static String millis(Instant instant) {
        return Long.toString(instant.toEpochMilli());
    }

    private static String seconds(Instant instant) {
        return Long.toString(instant.getEpochSecond());
    }
}
