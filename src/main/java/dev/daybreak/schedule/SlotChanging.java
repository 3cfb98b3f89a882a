package dev.daybreak.schedule;

import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.trail.Deed;
import dev.daybreak.schedule.SlotChangeOutcome.BelowBooked;
import dev.daybreak.schedule.SlotChangeOutcome.Changed;
import dev.daybreak.schedule.SlotChangeOutcome.InClosure;
import dev.daybreak.schedule.SlotChangeOutcome.NoSuchSlot;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Changes the capacity of slots, closes and reopens them, in turn with the bookings of the slot. */
class SlotChanging {

    private final Slots slots;
    private final Closures closures;
    private final AuditTrail trail;
    private final TransactionalOperator transaction;
    private final ApplicationEventPublisher events;

    SlotChanging(
            Slots slots,
            Closures closures,
            AuditTrail trail,
            TransactionalOperator transaction,
            ApplicationEventPublisher events) {
        this.slots = slots;
        this.closures = closures;
        this.trail = trail;
        this.transaction = transaction;
        this.events = events;
    }

    /** Emits the outcome after the commit. */
    Mono<SlotChangeOutcome> change(long slotId, SlotChange change, Actor actor) {
        Mono<SlotChangeOutcome> work = slots.lock(slotId)
                .flatMap(slot -> apply(change, slot, actor))
                .defaultIfEmpty(new NoSuchSlot())
                .as(transaction::transactional)
                .doOnNext(this::announce);
        return Detached.run(work);
    }

    private Mono<SlotChangeOutcome> apply(SlotChange change, Slot slot, Actor actor) {
        int capacity = change.capacityOf(slot);
        if (capacity < slot.bookedCount()) {
            return Mono.just(new BelowBooked(slot.bookedCount()));
        }
        Mono<SlotChangeOutcome> changed = slots.change(slot.id(), capacity, change.closed())
                .flatMap(now -> trail.record(
                                actor,
                                Deed.of("slot.change", "slot", slot.id())
                                        .from(SlotChange.stateOf(slot))
                                        .to(SlotChange.stateOf(now)))
                        .thenReturn(new Changed(now)));
        // Whoever makes a closure has to wait for the slot, so none can come in between.
        return change.reopens()
                ? closures.covering(slot).<SlotChangeOutcome>map(InClosure::new).switchIfEmpty(changed)
                : changed;
    }

    private void announce(SlotChangeOutcome outcome) {
        if (outcome instanceof Changed changed) {
            events.publishEvent(new SlotChanged(changed.slot(), true));
        }
    }
}
