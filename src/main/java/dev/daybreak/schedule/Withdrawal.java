package dev.daybreak.schedule;

import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.sql.SqlStates;
import dev.daybreak.schedule.AppointmentsInTheWay.InTheWay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * Takes times out of the calendar or gives them back, in one transaction: what is in the way blocks it or is cancelled, then
 * the calendar is changed, then the slots follow it.
 */
class Withdrawal {

    // An event takes a few microseconds of its listeners; more than these would keep an event loop from its requests.
    private static final int FEW = 200;

    private static final Retry AFTER_CONFLICTS = Retry.backoff(3, Duration.ofMillis(10))
            .filter(SqlStates::isTransientConflict)
            .onRetryExhaustedThrow((retry, last) -> last.failure());

    private final CalendarSlots slots;
    private final AppointmentsInTheWay appointments;
    private final TransactionalOperator transaction;
    private final ApplicationEventPublisher events;

    Withdrawal(
            CalendarSlots slots,
            AppointmentsInTheWay appointments,
            TransactionalOperator transaction,
            ApplicationEventPublisher events) {
        this.transaction = transaction;
        this.slots = slots;
        this.appointments = appointments;
        this.events = events;
    }

    /** What happened to slots and appointments. */
    record Done(List<SlotChanged> changes, long closed, long cancelled) {

        static final Done NOTHING = new Done(List.of(), 0, 0);
    }

    /**
     * Does the work in one transaction, tells of it after the commit and emits what the work emits, if anything. A dry run
     * does everything and rolls it back, so that it can say nothing else than the real one would.
     */
    <T> Mono<T> run(Mono<T> work, boolean dryRun, Function<T, Mono<Void>> announcement) {
        Mono<T> done = transaction
                .execute(status -> {
                    if (dryRun) {
                        status.setRollbackOnly();
                    }
                    return work;
                })
                .singleOrEmpty()
                .retryWhen(AFTER_CONFLICTS);
        return Detached.run(
                dryRun
                        ? done
                        : done.flatMap(outcome -> announcement.apply(outcome).thenReturn(outcome)));
    }

    /** Emits those of the appointments that forbid the withdrawal on these terms; empty if nothing does. */
    static List<InTheWay> blocking(List<InTheWay> found, Terms terms) {
        return terms.force()
                ? List.of()
                : found.stream().filter(InTheWay::blocks).toList();
    }

    /**
     * Ends the appointments, changes the calendar, lets the slots follow and emits what that did.
     *
     * @param locked the slots that may change, as they were when they were locked
     */
    <T> Mono<T> carryOut(
            List<Slot> locked,
            List<InTheWay> found,
            Terms terms,
            Instant now,
            Mono<?> change,
            Function<Done, T> result) {
        List<Long> ids = locked.stream().map(Slot::id).toList();
        return end(found, terms, now)
                .flatMap(cancelled -> change.then(slots.settleClosed(ids))
                        .then(slots.findAll(ids))
                        .map(after -> result.apply(done(locked, after, cancelled))));
    }

    private Mono<Long> end(List<InTheWay> found, Terms terms, Instant now) {
        return found.isEmpty()
                ? Mono.just(0L)
                : appointments.end(found.stream().map(InTheWay::id).toList(), terms.reason(), now);
    }

    private static Done done(List<Slot> before, List<Slot> after, long cancelled) {
        Map<Long, Slot> now = after.stream().collect(Collectors.toMap(Slot::id, Function.identity()));
        List<SlotChanged> changes = before.stream()
                .flatMap(slot -> Stream.ofNullable(now.get(slot.id()))
                        .filter(changed -> changed.version() != slot.version())
                        .map(changed -> changed(slot, changed)))
                .toList();
        long closed = before.stream()
                .filter(slot -> !slot.closed())
                .map(slot -> now.get(slot.id()))
                .filter(slot -> slot != null && slot.closed())
                .count();
        return new Done(changes, closed, cancelled);
    }

    // Only a full slot may be known as full; who asks for it next shall be told that it is closed.
    private static SlotChanged changed(Slot before, Slot after) {
        return new SlotChanged(after, before.remaining() <= 0 || before.bookedCount() > after.bookedCount());
    }

    /** Emits when everybody in this process has been told of the changes, which must be committed. */
    Mono<Void> announce(Done done) {
        Mono<Void> telling = Mono.fromRunnable(() -> done.changes().forEach(events::publishEvent));
        return done.changes().size() <= FEW ? telling : telling.subscribeOn(Schedulers.boundedElastic());
    }
}
