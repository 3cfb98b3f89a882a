package dev.daybreak.admin.login;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.platform.security.Identity;
import dev.daybreak.platform.security.LoginTokens;
import dev.daybreak.platform.security.Role;
import dev.daybreak.platform.security.Secret;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import reactor.core.publisher.Mono;

/**
 * The tokens of those who are logged in, in Redis by their hashes, each with its end and its name. Redis is asked at every call, so
 * that a logout counts at once on every instance; while it is away nobody can tell, which is UNAVAILABLE and not a refusal.
 */
final class LoginSessions implements LoginTokens {

    private static final Duration LATER = Duration.ofSeconds(3);

    private final ReactiveStringRedisTemplate redis;
    private final RedisCircuit circuit;
    private final Clock clock;
    private final Duration life;

    LoginSessions(ReactiveStringRedisTemplate redis, RedisCircuit circuit, Clock clock, Duration life) {
        this.redis = redis;
        this.circuit = circuit;
        this.clock = clock;
        this.life = life;
    }

    /** A token that has been made. */
    record Session(Secret token, Instant expiresAt) {}

    Mono<Session> open(String name) {
        var session = new Session(Secret.random(), clock.instant().plus(life));
        String entry = session.expiresAt().toEpochMilli() + " " + name;
        return circuit.call(redis.opsForValue().set(key(session.token().reveal()), entry, life))
                .onErrorMap(failure -> unavailable())
                .thenReturn(session);
    }

    @Override
    public Mono<Identity> find(String token) {
        return circuit.call(redis.opsForValue().get(key(token)))
                .onErrorMap(failure -> unavailable())
                .filter(this::isInForce)
                .map(entry -> new Identity(entry.substring(entry.indexOf(' ') + 1), Set.of(Role.ADMIN), null, null));
    }

    /** Redis lets go of it by its own clock; the rule is the service's. */
    private boolean isInForce(String entry) {
        return Long.parseLong(entry.substring(0, entry.indexOf(' '))) > clock.millis();
    }

    Mono<Void> close(String token) {
        return circuit.call(redis.delete(key(token)))
                .onErrorMap(failure -> unavailable())
                .then();
    }

    private static Refusal unavailable() {
        return new Refusal(Problem.of(ProblemCode.UNAVAILABLE).retryAfter(LATER));
    }

    private static String key(String token) {
        return "login:token:" + Secret.hexHash(token);
    }
}
