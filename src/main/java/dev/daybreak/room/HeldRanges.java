package dev.daybreak.room;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What is held of a room while somebody fills in the form. A courtesy among people, not a guard: reservations stay correct whatever
 * it says.
 */
public interface HeldRanges {

    /**
     * Emits whether somebody other than the owner of the token holds a part of the range; false when that cannot be known.
     * Never errors.
     */
    Mono<Boolean> heldByAnother(long roomId, TimeRange range, @Nullable String token);

    /** Ends the hold of the token, whose range is reserved now. Completes also if there is no such hold. Never errors. */
    Mono<Void> consume(long roomId, String token);
}
