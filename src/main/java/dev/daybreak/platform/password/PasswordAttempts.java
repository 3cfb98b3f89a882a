package dev.daybreak.platform.password;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.redis.LuaScripts;
import dev.daybreak.platform.redis.RedisCircuit;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import reactor.core.publisher.Mono;

/**
 * Limits wrong passwords: from one address, and of one thing that has a password, whoever tries. Each is counted before it is looked at, so
 * that a crowd of guesses at once is no way around, and taken back if it was right.
 *
 * <p>One address may lock itself out, but not the owner: what has a password endures several addresses' worth of guesses. While Redis
 * is away this instance counts for itself.
 */
public final class PasswordAttempts {

    private static final RedisScript<Long> ATTEMPT = LuaScripts.load(PasswordAttempts.class, "attempt.lua", Long.class);
    private static final RedisScript<Long> FORGIVE = LuaScripts.load(PasswordAttempts.class, "forgive.lua", Long.class);

    private static final int ADDRESSES = 4;

    private final ReactiveStringRedisTemplate redis;
    private final RedisCircuit circuit;
    private final String name;
    private final List<Integer> allowed;
    private final Duration window;
    private final LocalAttempts local;

    /**
     * @param name whose passwords they are, for the keys in Redis
     * @param allowed wrong ones within the window from one address; four times as many of one subject
     * @param window how long they are counted together, from the first one on
     */
    public PasswordAttempts(
            ReactiveStringRedisTemplate redis,
            RedisCircuit circuit,
            Clock clock,
            String name,
            int allowed,
            Duration window) {
        this.redis = redis;
        this.circuit = circuit;
        this.name = name;
        this.allowed = List.of(allowed, Math.multiplyExact(ADDRESSES, allowed));
        this.window = window;
        this.local = new LocalAttempts(this.allowed, window, clock);
    }

    /**
     * Emits what the check emits. Errors with a {@link Refusal} (RATE_LIMITED), without a check, when there were too many wrong passwords.
     *
     * @param subject what the password belongs to; it is seen in Redis
     * @param right whether what the check emitted shows that the password was right
     */
    public <T> Mono<T> limit(String address, String subject, Mono<T> check, Predicate<T> right) {
        List<String> counters = List.of("{" + name + "}:address:" + address, "{" + name + "}:subject:" + subject);
        return count(counters)
                .flatMap(wait -> wait.isZero()
                        ? check
                        : Mono.error(
                                new Refusal(Problem.of(ProblemCode.RATE_LIMITED).retryAfter(wait))))
                .flatMap(result -> right.test(result) ? forgive(counters).thenReturn(result) : Mono.just(result));
    }

    private Mono<Duration> count(List<String> counters) {
        List<String> arguments = List.of(
                Long.toString(window.toMillis()),
                allowed.get(0).toString(),
                allowed.get(1).toString());
        return circuit.call(redis.execute(ATTEMPT, counters, arguments).next())
                .map(Duration::ofMillis)
                .onErrorResume(failure -> Mono.fromSupplier(() -> local.attempt(counters)));
    }

    private Mono<Void> forgive(List<String> counters) {
        return circuit.call(redis.execute(FORGIVE, counters, List.of()).next())
                .then()
                .onErrorResume(failure -> Mono.fromRunnable(() -> local.forgive(counters)));
    }
}
