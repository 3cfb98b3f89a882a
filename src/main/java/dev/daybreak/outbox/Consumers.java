package dev.daybreak.outbox;

import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.sql.SqlStates;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.DisposableBean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The consumers of this process, called one after the other, on threads that may wait. Without a broker, where events go. */
final class Consumers implements Destination, DisposableBean {

    private static final int THREADS = 4;

    private final List<EventConsumer> consumers;
    private final Duration limit;
    private final Scheduler threads =
            Schedulers.newBoundedElastic(THREADS, Integer.MAX_VALUE, "daybreak-outbox-delivery", 60, true);

    Consumers(List<EventConsumer> consumers, Duration limit) {
        this.consumers = consumers;
        this.limit = limit;
    }

    boolean isNobody() {
        return consumers.isEmpty();
    }

    /** Detached: the limit ends the waiting, not a transaction in the middle of it. */
    @Override
    public Mono<Void> publish(OutboxEvent event) {
        return consumers.isEmpty()
                ? Mono.empty()
                : Flux.fromIterable(consumers)
                        .concatMap(consumer -> Detached.run(Mono.defer(() -> consumer.consume(event))))
                        .then()
                        .subscribeOn(threads)
                        .timeout(limit);
    }

    @Override
    public boolean isOutage(Throwable failure) {
        return SqlStates.isUnavailable(failure) || SqlStates.isOverload(failure);
    }

    @Override
    public Mono<Void> announceDead(OutboxEvent event, String error) {
        return Mono.empty();
    }

    @Override
    public void destroy() {
        threads.dispose();
    }
}
