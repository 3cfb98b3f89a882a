package dev.daybreak.outbox;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Handles events of one aggregate one after the other, and those of different ones side by side. */
final class InOrder {

    private static final int AGGREGATES_AT_ONCE = 256;

    private InOrder() {}

    /**
     * Emits one result for each item it tried. After one that must not be passed, what follows of its aggregate is left out.
     *
     * @param items in order
     */
    static <T, R> Mono<List<R>> each(
            List<T> items, Function<T, String> aggregate, Function<T, Mono<R>> handle, Predicate<R> mayPass) {
        Map<String, List<T>> aggregates = new LinkedHashMap<>();
        items.forEach(item -> aggregates
                .computeIfAbsent(aggregate.apply(item), id -> new ArrayList<>(1))
                .add(item));
        return Flux.fromIterable(aggregates.values())
                .flatMap(
                        own -> own.size() == 1
                                ? handle.apply(own.getFirst())
                                : Flux.fromIterable(own)
                                        .concatMap(handle, 0)
                                        .takeUntil(result -> !mayPass.test(result)),
                        AGGREGATES_AT_ONCE)
                .collectList();
    }
}
