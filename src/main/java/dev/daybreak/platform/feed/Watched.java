package dev.daybreak.platform.feed;

import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The newest known state of what is watched, and those who watch it. Subclasses keep the state, guarded by this object, which is
 * never held while a client is called. Holds no thread: the {@link Feed} says when to send.
 *
 * @param <K> what tells it from others
 */
public abstract class Watched<K> {

    private final K key;
    private final Clock clock;
    private final Set<FeedClient> clients = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Boolean> loaded = new CompletableFuture<>();

    // All guarded by this object.
    private long number;
    private boolean changed;
    private long changedAt;
    private long sentAt = System.nanoTime() - Long.MAX_VALUE / 4;
    private boolean flushDue;
    private Instant nextTurn = Instant.MAX;
    private @Nullable Frame snapshot;

    /**
     * An event to be sent.
     *
     * @param data on one line
     */
    public record Event(String name, byte[] data) {}

    protected Watched(K key, Clock clock) {
        this.key = key;
        this.clock = clock;
    }

    public final K key() {
        return key;
    }

    /** All of it as it is at that moment. Called with this object held. */
    protected abstract Event snapshot(Instant now);

    /** What has changed since this was called before. Called with this object held, and only after {@link #note}. */
    protected abstract Event changes(Instant now);

    /** When the clock alone will change something, the first time after {@code now}; {@link Instant#MAX} for never. Called with this object held. */
    protected abstract Instant nextTurn(Instant now);

    /** Takes over what the clock alone has changed by now, and notes it. Called with this object held. */
    protected abstract void turn(Instant now);

    /** Says that something has changed. Call it with this object held. */
    protected final void note() {
        if (!changed) {
            changed = true;
            changedAt = System.nanoTime();
        }
        snapshot = null;
    }

    /**
     * To be called after changes, with this object held.
     *
     * @return whether there is something to send, for which nobody has been told to come yet
     */
    protected final boolean becomesDue(Instant now) {
        nextTurn = nextTurn(now);
        if (!changed || flushDue || !isReady()) {
            return false;
        }
        flushDue = true;
        return true;
    }

    /** Says that the state is there for the first time; what was noted until then is part of it. */
    protected final void loaded() {
        synchronized (this) {
            changed = false;
            nextTurn = nextTurn(clock.instant());
        }
        loaded.complete(true);
    }

    final Collection<FeedClient> clients() {
        return clients;
    }

    final void add(FeedClient client) {
        clients.add(client);
    }

    /** Whether nobody is left. */
    final boolean remove(FeedClient client) {
        clients.remove(client);
        return clients.isEmpty();
    }

    /** Completes when the state has been read, with the error if it could not be. */
    final Mono<Boolean> ready() {
        return Mono.fromFuture(loaded, true);
    }

    public final boolean isReady() {
        return loaded.isDone() && !loaded.isCompletedExceptionally();
    }

    final void fail(Throwable failure) {
        loaded.completeExceptionally(failure);
    }

    /** Whether the clock has made something due to be sent. */
    final synchronized boolean turnsAt(Instant now) {
        if (now.isBefore(nextTurn)) {
            return false;
        }
        turn(now);
        return becomesDue(now);
    }

    /** How long to wait with the next event, in nanoseconds, so that they keep that distance. */
    final synchronized long pause(long distance) {
        return Math.max(0, sentAt + distance - System.nanoTime());
    }

    /**
     * Hands what has changed to everybody.
     *
     * @param lag told how long the oldest change has waited, in nanoseconds
     */
    final void flush(LongConsumer lag) {
        Frame frame;
        long since;
        synchronized (this) {
            flushDue = false;
            if (!changed) {
                return;
            }
            frame = frame(++number, changes(clock.instant()));
            changed = false;
            since = changedAt;
            sentAt = System.nanoTime();
        }
        for (FeedClient client : clients) {
            client.offer(frame);
        }
        lag.accept(System.nanoTime() - since);
    }

    /** All of it as it is now; it has the number of the last event it contains. */
    final synchronized Frame snapshot() {
        Frame current = snapshot;
        Instant now = clock.instant();
        if (current == null || !now.isBefore(nextTurn)) {
            current = frame(number, snapshot(now));
            snapshot = current;
        }
        return current;
    }

    private static Frame frame(long number, Event event) {
        return Frame.of(number, event.name(), event.data());
    }
}
