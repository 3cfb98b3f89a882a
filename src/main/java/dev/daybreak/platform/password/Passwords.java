package dev.daybreak.platform.password;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Hashes and verifies passwords on threads of its own, in order of arrival. That takes a core for some 50 ms each, on purpose; so
 * only so many are at work or wait, and the next is refused with BUSY.
 */
public final class Passwords implements AutoCloseable {

    /** Of a password, which is visible ASCII and spaces; what is longer bcrypt would ignore. */
    public static final int MIN_LENGTH = 4;

    public static final int MAX_LENGTH = 72;

    private static final Duration FOR_EVER = Duration.ofMillis(Long.MAX_VALUE);

    private final BCryptPasswordEncoder bcrypt;
    private final Scheduler threads;
    private final Mono<String> nobodys;

    /**
     * @param strength the binary logarithm of bcrypt's rounds
     * @param atOnce how many are hashed at a time, each on a thread
     * @param queue how many more may wait, at least
     */
    public Passwords(int strength, int atOnce, int queue) {
        this.bcrypt = new BCryptPasswordEncoder(strength);
        this.threads =
                Schedulers.newBoundedElastic(atOnce, Math.ceilDiv(queue, atOnce), "daybreak-passwords", 60, true);
        this.nobodys = hash("nobody's password").cache(hash -> FOR_EVER, failure -> Duration.ZERO, () -> Duration.ZERO);
    }

    public static boolean isValid(String password) {
        return password.length() >= MIN_LENGTH
                && password.length() <= MAX_LENGTH
                && password.chars().allMatch(c -> c >= ' ' && c < 127);
    }

    /** Emits the hash, which has its own salt. */
    public Mono<String> hash(String password) {
        return run(() -> bcrypt.encode(password));
    }

    public Mono<Boolean> matches(String password, String hash) {
        return run(() -> isValid(password) && bcrypt.matches(password, hash));
    }

    /** Emits false, after as long as {@link #matches} takes: that there is nothing to compare with should not show. */
    public Mono<Boolean> matchesNothing(String password) {
        return nobodys.flatMap(hash -> matches(password, hash)).thenReturn(false);
    }

    private <T> Mono<T> run(Callable<T> work) {
        return Mono.fromCallable(work)
                .subscribeOn(threads)
                .onErrorMap(
                        RejectedExecutionException.class,
                        full -> new Refusal(Problem.of(ProblemCode.BUSY).retryAfter(Duration.ofSeconds(1))));
    }

    @Override
    public void close() {
        threads.dispose();
    }
}
