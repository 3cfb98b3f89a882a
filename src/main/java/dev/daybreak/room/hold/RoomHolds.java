package dev.daybreak.room.hold;

import dev.daybreak.platform.redis.RedisUnavailable;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.room.HeldRanges;
import dev.daybreak.room.Reservations;
import dev.daybreak.room.Rooms;
import dev.daybreak.room.TimeRange;
import dev.daybreak.room.hold.HoldOutcome.Extended;
import dev.daybreak.room.hold.HoldOutcome.Held;
import dev.daybreak.room.hold.HoldOutcome.NoSuchHold;
import dev.daybreak.room.hold.HoldOutcome.NoSuchRoom;
import dev.daybreak.room.hold.HoldOutcome.Released;
import dev.daybreak.room.hold.HoldOutcome.Reserved;
import dev.daybreak.room.hold.HoldOutcome.RoomClosed;
import dev.daybreak.room.hold.HoldOutcome.Unavailable;
import dev.daybreak.room.hold.HoldOutcome.WrongToken;
import dev.daybreak.room.hold.HoldStore.Known;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import reactor.core.publisher.Mono;

/**
 * Keeps a range of a room for whoever fills in the form. A hold is taken first and then the reservations are read, while a
 * reservation claims its range first and is committed then: so of two at once either the hold sees the reservation, or the
 * reservation sees the hold, or the hold finds the claim.
 */
public final class RoomHolds implements HeldRanges {

    private static final Logger LOG = LoggerFactory.getLogger(RoomHolds.class);

    private final HoldStore store;
    private final Rooms rooms;
    private final Reservations reservations;
    private final ApplicationEventPublisher events;

    RoomHolds(HoldStore store, Rooms rooms, Reservations reservations, ApplicationEventPublisher events) {
        this.store = store;
        this.rooms = rooms;
        this.reservations = reservations;
        this.events = events;
    }

    Mono<HoldOutcome> hold(long roomId, TimeRange range, String client) {
        return Detached.run(rooms.find(roomId)
                .flatMap(room -> room.active() ? acquired(room.id(), range, client) : Mono.just(new RoomClosed()))
                .defaultIfEmpty(new NoSuchRoom()));
    }

    // The reservations are read before as well: what was reserved long ago is not held until that is found out.
    private Mono<HoldOutcome> acquired(long roomId, TimeRange range, String client) {
        var key = HoldKey.random();
        return reservations
                .anyIn(roomId, range)
                .flatMap(reserved -> reserved
                        ? Mono.just(new Reserved())
                        : available(store.hold(roomId, range, key, client)).flatMap(outcome -> switch (outcome) {
                            case Held held -> checked(roomId, range, key, client, held);
                            case Unavailable away ->
                                undone(roomId, range, key, client).thenReturn(away);
                            default -> Mono.just(outcome);
                        }));
    }

    private Mono<HoldOutcome> checked(long roomId, TimeRange range, HoldKey key, String client, Held held) {
        return reservations
                .anyIn(roomId, range)
                .onErrorResume(failure -> undone(roomId, range, key, client).then(Mono.error(failure)))
                .flatMap(reserved -> {
                    if (reserved) {
                        return undone(roomId, range, key, client).thenReturn(new Reserved());
                    }
                    changed(roomId, range);
                    return Mono.just(held);
                });
    }

    /** Of a hold whose answer was lost, or never given, nobody has the token. If this fails too, it expires. */
    private Mono<Void> undone(long roomId, TimeRange range, HoldKey key, String client) {
        return store.release(roomId, new Known(range, client), key, true)
                .onErrorComplete()
                .then();
    }

    Mono<HoldOutcome> extend(long roomId, long holdId, @Nullable String token) {
        return change(roomId, holdId, token, (hold, key) -> store.extend(roomId, hold, key));
    }

    Mono<HoldOutcome> release(long roomId, long holdId, @Nullable String token) {
        return change(roomId, holdId, token, (hold, key) -> store.release(roomId, hold, key, false));
    }

    private Mono<HoldOutcome> change(
            long roomId, long holdId, @Nullable String token, BiFunction<Known, HoldKey, Mono<HoldOutcome>> change) {
        HoldKey sent = HoldKey.ofToken(token);
        // A wrong key, so that a hold that has expired is not found rather than forbidden.
        HoldKey key = sent == null || sent.id() != holdId ? new HoldKey(holdId, "") : sent;
        return Detached.run(available(store.find(roomId, holdId)
                .flatMap(hold -> change.apply(hold, key).doOnNext(outcome -> {
                    if (outcome instanceof Extended || outcome instanceof Released) {
                        changed(roomId, hold.range());
                    }
                }))
                .defaultIfEmpty(new NoSuchHold())));
    }

    @Override
    public Mono<Boolean> heldByAnother(long roomId, TimeRange range, @Nullable String token) {
        return store.claim(roomId, range, HoldKey.ofToken(token)).onErrorResume(failure -> {
            note(failure);
            return Mono.just(false);
        });
    }

    @Override
    public Mono<Void> letGo(long roomId, TimeRange range) {
        return store.letGo(roomId, range).onErrorComplete();
    }

    @Override
    public Mono<Void> consume(long roomId, String token) {
        HoldKey key = HoldKey.ofToken(token);
        if (key == null) {
            return Mono.empty();
        }
        return store.find(roomId, key.id())
                .flatMap(hold -> store.release(roomId, hold, key, true).doOnNext(outcome -> {
                    if (!(outcome instanceof WrongToken)) {
                        changed(roomId, hold.range());
                    }
                }))
                .onErrorComplete()
                .then();
    }

    /** Emits what is held of all rooms now; nothing while Redis is away. */
    public Mono<List<HeldRange>> all() {
        return store.all().onErrorResume(failure -> {
            note(failure);
            return Mono.just(List.of());
        });
    }

    private void changed(long roomId, TimeRange range) {
        events.publishEvent(new HoldChanged(roomId, range));
    }

    private static Mono<HoldOutcome> available(Mono<HoldOutcome> work) {
        return work.onErrorResume(failure -> {
            note(failure);
            return Mono.just(new Unavailable());
        });
    }

    /** That Redis is away is told by its circuit. */
    private static void note(Throwable failure) {
        if (!(failure instanceof RedisUnavailable)) {
            LOG.debug("Holds of rooms are not available", failure);
        }
    }
}
