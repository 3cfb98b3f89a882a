package dev.daybreak.availability.feed;

import dev.daybreak.availability.day.DoctorDay;
import dev.daybreak.availability.day.SlotJson;
import dev.daybreak.schedule.Slot;
import dev.daybreak.schedule.SlotState;
import dev.daybreak.schedule.Slots;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The newest known state of a day's slots, and those who watch it. Of two states of a slot the one with the higher
 * version counts, in whatever order they arrive. Holds no thread: {@link LiveFeed} says when to send.
 */
final class WatchedDay {

    private static final Comparator<Slot> BY_START = Comparator.comparing(Slot::startAt);

    private final DoctorDay day;
    private final Instant from;
    private final Instant to;
    private final SlotJson json;
    private final Clock clock;
    private final Set<FeedClient> clients = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Boolean> loaded = new CompletableFuture<>();

    // All guarded by this object, which is never held while a client is called.
    private final Map<Long, Slot> slots = new HashMap<>();
    private final Map<Long, SlotState> states = new HashMap<>();
    private final Set<Long> changed = new LinkedHashSet<>();
    private long number;
    private long changedAt;
    private long sentAt = System.nanoTime() - Long.MAX_VALUE / 4;
    private boolean flushDue;
    private Instant nextFlip = Instant.MAX;
    private @Nullable Frame snapshot;

    WatchedDay(DoctorDay day, SlotJson json, Clock clock) {
        this.day = day;
        this.from = day.from();
        this.to = day.to();
        this.json = json;
        this.clock = clock;
    }

    DoctorDay day() {
        return day;
    }

    Collection<FeedClient> clients() {
        return clients;
    }

    void add(FeedClient client) {
        clients.add(client);
    }

    /** Whether nobody is left. */
    boolean remove(FeedClient client) {
        clients.remove(client);
        return clients.isEmpty();
    }

    /** Completes when the day has been read, with the error if it could not be. */
    Mono<Boolean> ready() {
        return Mono.fromFuture(loaded, true);
    }

    boolean isReady() {
        return loaded.isDone() && !loaded.isCompletedExceptionally();
    }

    void load(Collection<Slot> read) {
        synchronized (this) {
            Instant now = clock.instant();
            read.forEach(slot -> take(slot, now));
            changed.clear();
            findNextFlip(now);
        }
        loaded.complete(true);
    }

    void fail(Throwable failure) {
        loaded.completeExceptionally(failure);
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
        if (!take(slot, now) || !isReady()) {
            return false;
        }
        findNextFlip(now);
        return becomesDue();
    }

    /** As {@link #apply}, for slots whose state has changed with the time. */
    synchronized boolean turn(Instant now) {
        if (now.isBefore(nextFlip)) {
            return false;
        }
        for (Slot slot : slots.values()) {
            if (states.put(slot.id(), slot.stateAt(now)) != slot.stateAt(now)) {
                note(slot);
            }
        }
        findNextFlip(now);
        return becomesDue();
    }

    /** How long to wait with the next event, in nanoseconds, so that they keep that distance. */
    synchronized long pause(long distance) {
        return Math.max(0, sentAt + distance - System.nanoTime());
    }

    /**
     * Hands what has changed to everybody.
     *
     * @param lag told how long the oldest change has waited, in nanoseconds
     */
    void flush(LongConsumer lag) {
        Frame frame;
        long since;
        synchronized (this) {
            flushDue = false;
            if (changed.isEmpty()) {
                return;
            }
            Instant now = clock.instant();
            List<Slot> newest =
                    changed.stream().map(slots::get).sorted(BY_START).toList();
            frame = Frame.of(++number, "slots", encode(newest, now));
            changed.clear();
            since = changedAt;
            sentAt = System.nanoTime();
        }
        for (FeedClient client : clients) {
            client.offer(frame);
        }
        lag.accept(System.nanoTime() - since);
    }

    /** All slots as they are now; it has the number of the last event it contains. */
    synchronized Frame snapshot() {
        Frame current = snapshot;
        Instant now = clock.instant();
        if (current == null || !now.isBefore(nextFlip)) {
            current = Frame.of(
                    number,
                    "snapshot",
                    encode(slots.values().stream().sorted(BY_START).toList(), now));
            snapshot = current;
        }
        return current;
    }

    synchronized Slots.Seen seen() {
        return Slots.Seen.of(day.doctorId(), from, to, slots.values());
    }

    private List<byte[]> encode(List<Slot> of, Instant now) {
        return of.stream().map(slot -> json.of(slot, now)).toList();
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
        if (changed.isEmpty()) {
            changedAt = System.nanoTime();
        }
        changed.add(slot.id());
        snapshot = null;
    }

    private boolean becomesDue() {
        if (changed.isEmpty() || flushDue) {
            return false;
        }
        flushDue = true;
        return true;
    }

    private void findNextFlip(Instant now) {
        nextFlip = Instant.MAX;
        for (Slot slot : slots.values()) {
            nextFlip = earlier(nextFlip, slot.opensAt(), now);
            nextFlip = earlier(nextFlip, slot.startAt(), now);
        }
    }

    private static Instant earlier(Instant known, Instant other, Instant now) {
        return other.isAfter(now) && other.isBefore(known) ? other : known;
    }
}
