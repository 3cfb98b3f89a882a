package dev.daybreak.schedule;

import dev.daybreak.platform.sql.Detached;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * Makes the slots of standing schedules as their days come into the booking window: at start, after every midnight of the
 * clinic, and every hour in case one of these has failed. Several instances share the work without doing any of it twice.
 */
class WindowFiller implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(WindowFiller.class);

    // Short transactions, each with some ten thousand slots when a whole window is missing and a thousand a day.
    private static final int BATCH = 25;
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
    private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);
    private static final Duration AFTER_MIDNIGHT = Duration.ofSeconds(5);

    private final Schedules schedules;
    private final CalendarSlots slots;
    private final Closures closures;
    private final ClinicSettings clinic;
    private final Clock clock;
    private final TransactionalOperator transaction;
    private final ApplicationEventPublisher events;
    private Disposable running = Disposables.disposed();

    private record Batch(List<SlotPlan> plans, long created) {}

    WindowFiller(
            Schedules schedules,
            CalendarSlots slots,
            Closures closures,
            ClinicSettings clinic,
            Clock clock,
            TransactionalOperator transaction,
            ApplicationEventPublisher events) {
        this.schedules = schedules;
        this.slots = slots;
        this.closures = closures;
        this.clinic = clinic;
        this.clock = clock;
        this.transaction = transaction;
        this.events = events;
    }

    /** Fills the window, batch by batch, and emits how many slots were made. Safe to run at any time and anywhere. */
    Mono<Long> fill() {
        return Mono.defer(this::fillBatch)
                .repeat()
                .takeUntil(batch -> batch.plans().isEmpty())
                .reduce(0L, (sum, batch) -> sum + batch.created());
    }

    private Mono<Batch> fillBatch() {
        Instant now = clock.instant();
        LocalDate horizon = clinic.horizon(now);
        Mono<Batch> work = closures.freeze()
                .then(schedules.claimUnfilled(horizon, BATCH))
                .flatMap(claimed -> fill(claimed, clinic.dayOf(now), horizon))
                .as(transaction::transactional)
                .doOnNext(this::announce);
        return Detached.run(work);
    }

    private Mono<Batch> fill(List<Schedule> claimed, LocalDate today, LocalDate horizon) {
        List<SlotPlan> plans = claimed.stream()
                .map(schedule -> missing(schedule, today, horizon))
                .toList();
        return slots.insertMissing(
                        plans.stream().flatMap(plan -> plan.slots().stream()).toList())
                .flatMap(created -> schedules.markFilled(claimed, horizon).thenReturn(new Batch(plans, created)));
    }

    private SlotPlan missing(Schedule schedule, LocalDate today, LocalDate horizon) {
        LocalDate filled = schedule.filledUntil();
        LocalDate first = filled == null || filled.isBefore(today) ? today : filled.plusDays(1);
        return SlotPlan.of(schedule.doctorId(), schedule.timetable(), first, horizon, clinic);
    }

    private void announce(Batch batch) {
        batch.plans().stream()
                .filter(plan -> !plan.slots().isEmpty())
                .map(SlotsPublished::of)
                .forEach(events::publishEvent);
    }

    @Override
    public void start() {
        running = Mono.defer(this::fillThenPause).repeat().subscribe();
    }

    private Mono<Void> fillThenPause() {
        return fill().doOnNext(WindowFiller::report)
                .map(created -> pause(clock.instant()))
                .onErrorResume(failure -> {
                    log.warn("The booking window could not be filled, trying again in {}", AFTER_FAILURE, failure);
                    return Mono.just(AFTER_FAILURE);
                })
                .flatMap(Mono::delay)
                .then();
    }

    private static void report(long created) {
        if (created > 0) {
            log.info("Made {} slots of standing schedules", created);
        }
    }

    /** Until shortly after the clinic's next midnight, but an hour at most. */
    Duration pause(Instant now) {
        Instant midnight =
                clinic.dayOf(now).plusDays(1).atStartOfDay(clinic.zone()).toInstant();
        Duration untilThen = Duration.between(now, midnight).plus(AFTER_MIDNIGHT);
        return untilThen.compareTo(LONGEST_PAUSE) < 0 ? untilThen : LONGEST_PAUSE;
    }

    @Override
    public void stop() {
        running.dispose();
    }

    @Override
    public boolean isRunning() {
        return !running.isDisposed();
    }

    @Override
    public int getPhase() {
        return 2; // after the pool has been warmed up and the demo has its doctors
    }
}
