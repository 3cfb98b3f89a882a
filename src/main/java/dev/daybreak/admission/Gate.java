package dev.daybreak.admission;

import dev.daybreak.admission.Verdict.TooOften;
import dev.daybreak.booking.BookingDesk;
import dev.daybreak.booking.BookingOutcome;
import dev.daybreak.booking.BookingOutcome.Booked;
import dev.daybreak.booking.BookingOutcome.RateLimited;
import dev.daybreak.booking.BookingOutcome.SlotFull;
import dev.daybreak.booking.BookingRequest;
import dev.daybreak.booking.OpeningOutcome;
import dev.daybreak.booking.OpeningRequest;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.sql.Detached;
import reactor.core.publisher.Mono;

/**
 * Spares the database requests that have no chance: those of patients who try too often and those for slots known to be
 * full. Whatever Redis says, fails to say or has forgotten, only the database gives a seat; without Redis everybody asks
 * it, and the limit is counted by each instance for itself.
 */
final class Gate implements BookingDesk {

    private static final long NO_SLOT = 0; // never full, as no slot has this id

    private final BookingDesk desk;
    private final RedisGate redis;
    private final LocalLimiter local;
    private final FullMarks marks;
    private final Pace rechecks;
    private final GateMetrics metrics;

    Gate(
            BookingDesk desk,
            RedisGate redis,
            LocalLimiter local,
            FullMarks marks,
            AdmissionSettings settings,
            GateMetrics metrics) {
        this.desk = desk;
        this.redis = redis;
        this.local = local;
        this.marks = marks;
        this.rechecks = new Pace(settings.recheck());
        this.metrics = metrics;
    }

    @Override
    public Mono<BookingOutcome> book(BookingRequest request) {
        return Detached.run(judge(request).flatMap(verdict -> follow(verdict, request)));
    }

    /** Nothing is known of openings but how often their patients try. */
    @Override
    public Mono<OpeningOutcome> bookOpening(OpeningRequest request) {
        var question = new BookingRequest(NO_SLOT, request.patientId(), request.key());
        return Detached.run(judge(question)
                .flatMap(verdict -> verdict instanceof TooOften tooOften
                        ? Mono.just(new OpeningOutcome.TooOften(tooOften.retryAfter()))
                        : desk.bookOpening(request)));
    }

    private Mono<Verdict> judge(BookingRequest request) {
        return redis.ask(request)
                .onErrorResume(failure -> !(failure instanceof Refusal), failure -> standIn(request))
                .doOnNext(metrics::count);
    }

    private Mono<Verdict> standIn(BookingRequest request) {
        metrics.withoutRedis();
        return Mono.just(local.ask(request.patientId()));
    }

    private Mono<BookingOutcome> follow(Verdict verdict, BookingRequest request) {
        if (verdict instanceof TooOften tooOften) {
            return Mono.just(new RateLimited(tooOften.retryAfter()));
        }
        if (verdict == Verdict.KNOWN_FULL && !rechecks.isDue(request.slotId())) {
            return Mono.just(new SlotFull(request.slotId(), 0));
        }
        return desk.book(request).doOnNext(outcome -> learn(verdict, request.slotId(), outcome));
    }

    private void learn(Verdict verdict, long slotId, BookingOutcome outcome) {
        if (outcome instanceof SlotFull) {
            marks.mark(slotId);
        } else if (outcome instanceof Booked && verdict == Verdict.KNOWN_FULL) {
            marks.clear(slotId);
        }
    }
}
