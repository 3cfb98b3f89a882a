package dev.daybreak.availability.feed;

import dev.daybreak.availability.day.DoctorDay;
import dev.daybreak.availability.day.SlotJson;
import dev.daybreak.platform.feed.Watched;
import dev.daybreak.schedule.Slot;
import dev.daybreak.schedule.SlotState;
import dev.daybreak.schedule.Slots;
import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The newest known state of a day's slots. Of two states of a slot the one with the higher version counts, in whatever order
 * they arrive.
 */
final class WatchedDay extends Watched<DoctorDay> {

    private static final Comparator<Slot> BY_START = Comparator.comparing(Slot::startAt);

    private final Instant from;
    private final Instant to;
    private final SlotJson json;
    private final Clock clock;

    // All guarded by this object.
    private final Map<Long, Slot> slots = new HashMap<>();
    private final Map<Long, SlotState> states = new HashMap<>();
    private final Set<Long> changed = new LinkedHashSet<>();

    WatchedDay(DoctorDay day, SlotJson json, Clock clock) {
        super(day, clock);
        this.from = day.from();
        this.to = day.to();
        this.json = json;
        this.clock = clock;
    }

    void load(Collection<Slot> read) {
        synchronized (this) {
            Instant now = clock.instant();
            read.forEach(slot -> take(slot, now));
            changed.clear();
        }
        loaded();
    }

    /**
     * Takes over a state of a slot of this doctor.
     *
     * @return whether there is something to send, for which nobody has been told to come yet
     */
    synchronized boolean apply(Slot slot) {
        if (slot.startAt().isBefore(from) || !slot.startAt().isBefore(to)) {
            return false;
        }
        Instant now = clock.instant();
        return take(slot, now) && becomesDue(now);
    }

    synchronized Slots.Seen seen() {
        return Slots.Seen.of(key().doctorId(), from, to, slots.values());
    }

    @Override
    protected Event snapshot(Instant now) {
        return new Event("snapshot", encode(slots.values().stream(), now));
    }

    @Override
    protected Event changes(Instant now) {
        byte[] data = encode(changed.stream().map(slots::get), now);
        changed.clear();
        return new Event("slots", data);
    }

    private byte[] encode(Stream<Slot> of, Instant now) {
        var bytes = new ByteArrayOutputStream(2 + 220 * slots.size());
        bytes.write('[');
        of.sorted(BY_START).forEach(slot -> {
            if (bytes.size() > 1) {
                bytes.write(',');
            }
            bytes.writeBytes(json.of(slot, now));
        });
        bytes.write(']');
        return bytes.toByteArray();
    }

    @Override
    protected void turn(Instant now) {
        for (Slot slot : slots.values()) {
            if (states.put(slot.id(), slot.stateAt(now)) != slot.stateAt(now)) {
                note(slot);
            }
        }
    }

    @Override
    protected Instant nextTurn(Instant now) {
        Instant next = Instant.MAX;
        for (Slot slot : slots.values()) {
            next = earlier(next, slot.opensAt(), now);
            next = earlier(next, slot.startAt(), now);
        }
        return next;
    }

    private static Instant earlier(Instant known, Instant other, Instant now) {
        return other.isAfter(now) && other.isBefore(known) ? other : known;
    }

    private boolean take(Slot slot, Instant now) {
        Slot known = slots.get(slot.id());
        if (known != null && known.version() >= slot.version()) {
            return false;
        }
        slots.put(slot.id(), slot);
        states.put(slot.id(), slot.stateAt(now));
        note(slot);
        return true;
    }

    private void note(Slot slot) {
        changed.add(slot.id());
        note();
    }
}
