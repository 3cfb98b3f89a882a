package dev.daybreak.availability;

import dev.daybreak.availability.day.DoctorDay;
import dev.daybreak.availability.day.SlotJson;
import dev.daybreak.schedule.Slot;
import java.time.Clock;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The lists that an instance has in memory, each for a fraction of a second, and the only way to load one: a day is loaded
 * once at a time, however many ask for it and whoever of them leaves.
 *
 * <p>A change of a slot is written into the copy, and into one that is still being loaded, the higher version winning. So
 * in a rush a copy stays true without a load for every booking.
 */
final class DayCopies {

    private static final long SWEEP_PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final Map<DoctorDay, Copy> copies = new ConcurrentHashMap<>();
    private final AtomicLong lastSweep = new AtomicLong(System.nanoTime());
    private final Function<DoctorDay, Mono<DayList>> loader;
    private final long ttl;
    private final int max;
    private final SlotJson json;
    private final Clock clock;

    /** @param loader emits the list of a day or an error, never nothing */
    DayCopies(ListSettings settings, SlotJson json, Clock clock, Function<DoctorDay, Mono<DayList>> loader) {
        this.loader = loader;
        this.ttl = settings.copyTtl().toNanos();
        this.max = settings.maxCopies();
        this.json = json;
        this.clock = clock;
    }

    /** The list, if it is here. */
    @Nullable
    DayList peek(DoctorDay day) {
        Copy copy = copies.get(day);
        return copy == null ? null : copy.fresh();
    }

    /** Emits the list of the day, from here or loaded, or the error of loading it. */
    Mono<DayList> find(DoctorDay day) {
        return Mono.defer(() -> {
            Copy offered = new Copy();
            Copy copy = copies.compute(day, (key, held) -> held != null && held.isUsable() ? held : offered);
            if (copy == offered) {
                load(day, copy);
                trim();
            }
            return copy.result();
        });
    }

    void apply(DoctorDay day, Slot slot) {
        Copy copy = copies.get(day);
        if (copy != null) {
            copy.apply(slot);
        }
    }

    /** Whoever asks from now on gets a list that is loaded from now on. */
    void drop(DoctorDay day) {
        copies.remove(day);
    }

    int size() {
        return copies.size();
    }

    private void load(DoctorDay day, Copy copy) {
        var unused = Mono.defer(() -> loader.apply(day)).toFuture().whenComplete((list, failure) -> {
            if (failure == null) {
                copy.complete(list);
            } else {
                copies.remove(day, copy);
                copy.result.completeExceptionally(failure);
            }
        });
    }

    private void trim() {
        long now = System.nanoTime();
        long last = lastSweep.get();
        boolean due = now - last > SWEEP_PAUSE && lastSweep.compareAndSet(last, now);
        if (due || copies.size() > max) {
            copies.values().removeIf(Copy::isStale);
        }
        if (copies.size() > max) {
            // A quarter at once, else every further list would walk through all of them again.
            Iterator<Copy> loaded = copies.values().iterator();
            for (int surplus = copies.size() - max * 3 / 4; surplus > 0 && loaded.hasNext(); ) {
                if (loaded.next().list != null) {
                    loaded.remove();
                    surplus--;
                }
            }
        }
    }

    private final class Copy {

        private final CompletableFuture<DayList> result = new CompletableFuture<>();
        private final Map<Long, Slot> early = new HashMap<>();
        private volatile @Nullable DayList list;
        private volatile long freshUntil;

        boolean isUsable() {
            return list == null || fresh() != null;
        }

        boolean isStale() {
            return list != null && fresh() == null;
        }

        @Nullable
        DayList fresh() {
            DayList current = list;
            return current != null && System.nanoTime() - freshUntil < 0 && current.isValidAt(clock.millis())
                    ? current
                    : null;
        }

        Mono<DayList> result() {
            DayList current = list;
            return current == null ? Mono.fromFuture(result, true) : Mono.just(current);
        }

        void complete(DayList loaded) {
            result.complete(arrived(loaded));
        }

        private synchronized DayList arrived(DayList loaded) {
            DayList current = loaded;
            for (Slot slot : early.values()) {
                current = current.with(slot, clock.instant(), json);
            }
            early.clear();
            freshUntil = System.nanoTime() + ttl;
            list = current;
            return current;
        }

        synchronized void apply(Slot slot) {
            DayList current = list;
            if (current == null) {
                early.merge(slot.id(), slot, (one, other) -> one.version() < other.version() ? other : one);
            } else if (fresh() != null) {
                list = current.with(slot, clock.instant(), json);
            }
        }
    }
}
