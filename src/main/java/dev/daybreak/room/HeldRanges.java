package dev.daybreak.room;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What is held of a room while somebody fills in the form. A courtesy among people, not a guard: reservations stay correct whatever
 * it says.
 */
public interface HeldRanges {

    /**
     * Emits whether somebody other than the owner of the token holds a part of the range; false when that cannot be known. If not,
     * nobody can begin to hold any of it until {@link #letGo}, or some seconds longer than a reservation takes. Never errors.
     */
    Mono<Boolean> heldByAnother(long roomId, TimeRange range, @Nullable String token);

    /** The reservation of a range for which {@link #heldByAnother} emitted false has been made, or refused. Never errors. */
    Mono<Void> letGo(long roomId, TimeRange range);

    /** Ends the hold of the token, whose range is reserved now. Completes also if there is no such hold. Never errors. */
    Mono<Void> consume(long roomId, String token);
}
