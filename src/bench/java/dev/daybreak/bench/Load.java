package dev.daybreak.bench;

import dev.daybreak.bench.SeatGuard.Attempt;
import dev.daybreak.bench.SeatGuard.SeatRequest;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Clients that book as fast as they are answered, each request of another patient for one of the slots at random. */
final class Load {

    static final int CLIENTS = 64;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AtomicLong PATIENTS = new AtomicLong();

    private final SeatGuard guard;
    private final int slots;
    private final LongAdder accepted = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder errors = new LongAdder();

    private Load(SeatGuard guard, int slots) {
        this.guard = guard;
        this.slots = slots;
    }

    record Counted(long accepted, long retries, long errors, double seconds) {
        double acceptedPerSecond() {
            return accepted / seconds;
        }
    }

    /** Offers requests for that long. */
    static Counted during(SeatGuard guard, int slots, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        return new Load(guard, slots).run(() -> System.nanoTime() < end);
    }

    /** Offers that many requests. */
    static Counted of(SeatGuard guard, int slots, int requests) {
        var left = new AtomicLong(requests - CLIENTS);
        return new Load(guard, slots).run(() -> left.getAndDecrement() > 0);
    }

    private Counted run(BooleanSupplier more) {
        long start = System.nanoTime();
        Flux.range(0, CLIENTS)
                .flatMap(client -> Mono.defer(this::book).repeat(more), CLIENTS)
                .then()
                .block(PATIENCE);
        return new Counted(accepted.sum(), retries.sum(), errors.sum(), (System.nanoTime() - start) / 1e9);
    }

    private Mono<Void> book() {
        long patient = PATIENTS.incrementAndGet();
        long slot = 1 + ThreadLocalRandom.current().nextInt(slots);
        return guard.tryReserve(new SeatRequest(slot, patient, "key-" + patient))
                .doOnNext(this::count)
                .doOnError(failure -> errors.increment())
                .onErrorComplete()
                .then();
    }

    private void count(Attempt attempt) {
        retries.add(attempt.retries());
        if (attempt.booked()) {
            accepted.increment();
        }
    }
}
