package dev.daybreak.availability.day;

import dev.daybreak.platform.redis.InstanceChannel;
import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.schedule.Slot;
import dev.daybreak.schedule.SlotChanged;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Tells the other instances of changed slots, and this one of theirs: the newest state of each, whatever happened to it. */
public final class SlotChannel extends InstanceChannel {

    private static final int MAX_PENDING = 50_000;

    private final ApplicationEventPublisher events;
    private final Map<Long, Slot> pending = new ConcurrentHashMap<>();

    /** @param canary from one sign of life to the next */
    public SlotChannel(
            LettuceConnectionFactory connections,
            RedisCircuit circuit,
            ApplicationEventPublisher events,
            Duration canary) {
        super("daybreak:slots", connections, circuit, canary);
        this.events = events;
    }

    @EventListener
    void on(SlotChanged changed) {
        Slot slot = changed.slot();
        if (pending.size() < MAX_PENDING) {
            pending.merge(slot.id(), slot, (one, other) -> one.version() < other.version() ? other : one);
        }
        wake();
    }

    @Override
    protected byte @Nullable [] gathered() {
        List<Slot> slots = new ArrayList<>();
        for (Long id : pending.keySet()) {
            Slot slot = pending.remove(id);
            if (slot != null) {
                slots.add(slot);
            }
        }
        return slots.isEmpty() ? null : SlotMessage.write(slots);
    }

    @Override
    protected void receive(byte[] message) {
        SlotMessage.slots(message).forEach(slot -> events.publishEvent(new SlotChangedElsewhere(slot)));
    }
}
