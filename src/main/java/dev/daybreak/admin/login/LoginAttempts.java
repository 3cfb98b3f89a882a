package dev.daybreak.admin.login;

import dev.daybreak.platform.redis.RedisCircuit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.util.DigestUtils;
import reactor.core.publisher.Mono;

/**
 * How often passwords may be tried: counted for the address and for the name, in Redis for all instances. While Redis is away
 * each instance counts for itself, and refuses what it cannot count.
 */
final class LoginAttempts {

    private static final RedisScript<Long> SCRIPT = RedisScript.of(text("attempt.lua"), Long.class);

    /** One name may be tried from several addresses, and a few wrong attempts must not lock out whoever it belongs to. */
    private static final int NAME_FACTOR = 4;

    private static final int MOST_COUNTED = 10_000;

    private final ReactiveStringRedisTemplate redis;
    private final RedisCircuit circuit;
    private final Clock clock;
    private final int attempts;
    private final Duration length;
    private volatile Window window;

    private record Window(Instant end, ConcurrentHashMap<String, AtomicInteger> counts) {}

    LoginAttempts(ReactiveStringRedisTemplate redis, RedisCircuit circuit, Clock clock, LoginSettings settings) {
        this.redis = redis;
        this.circuit = circuit;
        this.clock = clock;
        this.attempts = settings.attempts();
        this.length = settings.window();
        this.window = new Window(clock.instant().plus(length), new ConcurrentHashMap<>());
    }

    /** Counts an attempt and emits how long to wait before it may be made, zero if it may be made now. */
    Mono<Duration> count(String name, String address) {
        List<String> arguments = List.of(
                Long.toString(length.toMillis()),
                Integer.toString(attempts),
                Long.toString((long) attempts * NAME_FACTOR));
        return circuit.call(
                        redis.execute(SCRIPT, keys(name, address), arguments).next())
                .map(Duration::ofMillis)
                .onErrorResume(away -> Mono.fromSupplier(() -> countHere(name, address)));
    }

    /** Whoever knew the password has not been guessing. */
    Mono<Void> forget(String name, String address) {
        return circuit.call(redis.delete(keys(name, address).toArray(String[]::new)))
                .then()
                .onErrorResume(away -> Mono.empty());
    }

    private Duration countHere(String name, String address) {
        Instant now = clock.instant();
        Window current = window;
        if (!now.isBefore(current.end())) {
            current = new Window(now.plus(length), new ConcurrentHashMap<>());
            window = current;
        }
        boolean often = isTooOften(current, address, attempts)
                | isTooOften(current, "name " + name, (long) attempts * NAME_FACTOR);
        return often ? Duration.between(now, current.end()) : Duration.ZERO;
    }

    private static boolean isTooOften(Window window, String key, long most) {
        return window.counts().size() >= MOST_COUNTED
                || window.counts()
                                .computeIfAbsent(key, counted -> new AtomicInteger())
                                .incrementAndGet()
                        > most;
    }

    /** Read once, and not at the first call: that comes on an event loop. */
    private static String text(String file) {
        try {
            return new ClassPathResource(file, LoginAttempts.class).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> keys(String name, String address) {
        return List.of(
                "{login}:attempts:address:" + address,
                "{login}:attempts:name:" + DigestUtils.md5DigestAsHex(name.getBytes(StandardCharsets.UTF_8)));
    }
}
