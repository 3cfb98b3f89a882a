package dev.daybreak.availability;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.web.Input;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Doctors;
import dev.daybreak.schedule.Slots;
import java.time.Duration;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/**
 * How many seats the days of a doctor have, for calendars. Read in one statement, by an instance once a second at most for each
 * doctor and range, however many ask: a figure in a calendar may be that old, since it promises nobody a seat.
 */
final class FreeDays {

    static final int LONGEST = 42;

    private static final long FRESH = Duration.ofSeconds(1).toNanos();
    private static final int MAX_COPIES = 5_000;
    private static final int MAX_LOADS = 16;
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Slots slots;
    private final Doctors doctors;
    private final ClinicSettings clinic;
    private final Map<Query, Copy> copies = new ConcurrentHashMap<>();
    private final AtomicInteger loads = new AtomicInteger();

    FreeDays(Slots slots, Doctors doctors, ClinicSettings clinic) {
        this.slots = slots;
        this.doctors = doctors;
        this.clinic = clinic;
    }

    /** Which days, both ends included. */
    record Query(long doctorId, LocalDate from, LocalDate to) {

        /** Throws a refusal that names what is wrong. */
        static Query read(Input input) {
            var query = new Query(input.id("id"), input.date("from"), input.date("to"));
            if (input.isSound("from", "to")) {
                input.check(!query.to.isBefore(query.from), "to", "date-order", query.from);
                input.check(ChronoUnit.DAYS.between(query.from, query.to) < LONGEST, "to", "period", LONGEST);
            }
            input.complete();
            return query;
        }
    }

    private record Copy(Mono<List<Slots.Day>> days, long loadedAt) {

        boolean isFresh() {
            return System.nanoTime() - loadedAt < FRESH;
        }
    }

    /** Emits the days that have slots still to come; errors with a {@link Refusal}, DOCTOR_NOT_FOUND or BUSY. */
    Mono<List<Slots.Day>> find(Query query) {
        return Mono.defer(() -> {
            if (copies.size() >= MAX_COPIES) {
                copies.values().removeIf(copy -> !copy.isFresh());
            }
            return copies.compute(query, (same, held) -> held != null && held.isFresh() ? held : load(query))
                    .days();
        });
    }

    // Shared by those who wait, and not theirs to cancel.
    private Copy load(Query query) {
        Mono<List<Slots.Day>> days = Mono.defer(() -> read(query))
                .doOnError(failure -> copies.remove(query))
                .cache();
        return new Copy(days, System.nanoTime());
    }

    private Mono<List<Slots.Day>> read(Query query) {
        if (loads.incrementAndGet() > MAX_LOADS) {
            loads.decrementAndGet();
            return Mono.error(new Refusal(Problem.of(ProblemCode.BUSY).retryAfter(SOON)));
        }
        return slots.days(query.doctorId(), query.from(), query.to(), clinic.zone())
                .flatMap(found -> doctors.requireKnown(query.doctorId(), found))
                .doFinally(end -> loads.decrementAndGet());
    }
}
