package dev.daybreak.room.reserve;

import dev.daybreak.room.HeldRanges;
import dev.daybreak.room.TimeRange;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Where nobody can hold anything. */
final class NothingHeld implements HeldRanges {

    @Override
    public Mono<Boolean> heldByAnother(long roomId, TimeRange range, @Nullable String token) {
        return Mono.just(false);
    }

    @Override
    public Mono<Void> letGo(long roomId, TimeRange range) {
        return Mono.empty();
    }

    @Override
    public Mono<Void> consume(long roomId, String token) {
        return Mono.empty();
    }
}
