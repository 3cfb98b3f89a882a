package dev.daybreak.room.reserve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.room.RoomSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class RoomQueuesTest {

    static final Duration SOON = Duration.ofSeconds(10);

    /** What was served, in order; each batch waits until it is let go. */
    private final List<List<Integer>> served = new CopyOnWriteArrayList<>();

    private final Sinks.Empty<Void> gate = Sinks.empty();

    private RoomQueues<Integer, String> queues(Map<String, String> settings) {
        return new RoomQueues<>(settings(settings), request -> request < 0, (room, turns) -> {
            served.add(turns.stream().map(Turn::request).toList());
            return gate.asMono()
                    .publishOn(Schedulers.parallel())
                    .then(Mono.fromRunnable(() -> turns.stream()
                            .filter(Turn::begin)
                            .forEach(turn -> turn.answer(room + ":" + turn.request()))));
        });
    }

    private static RoomSettings settings(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("daybreak.rooms", RoomSettings.class);
    }

    @Test
    void servesARoomInOrderOfArrivalAndSomeAtOnce() {
        var queues = queues(Map.of());
        List<Mono<String>> answers = IntStream.range(0, 100)
                .mapToObj(i -> queues.submit(7, i).cache())
                .toList();
        answers.forEach(Mono::subscribe);
        assertThat(queues.waiting()).isEqualTo(100);

        gate.tryEmitEmpty();

        StepVerifier.create(Flux.concat(answers).collectList())
                .assertNext(all -> assertThat(all).first().isEqualTo("7:0"))
                .expectComplete()
                .verify(SOON);
        assertThat(served.stream().flatMap(List::stream))
                .containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList());
        assertThat(served.get(0)).containsExactly(0);
        assertThat(served.get(1)).hasSize(32);
        assertThat(queues.waiting()).isZero();
    }

    @Test
    void roomsDoNotWaitForEachOther() {
        var queues = queues(Map.of());
        Flux.range(0, 50).flatMap(room -> queues.submit(room, 1), 50).subscribe();

        assertThat(served).hasSize(50);
        gate.tryEmitEmpty();
    }

    @Test
    void servesAMoveByItself() {
        var queues = queues(Map.of());
        for (int request : new int[] {0, 1, 2, -3, 4, 5}) {
            queues.submit(7, request).subscribe();
        }

        gate.tryEmitEmpty();

        Awaitility.await().atMost(SOON).until(() -> queues.waiting() == 0);
        assertThat(served).containsExactly(List.of(0), List.of(1, 2), List.of(-3), List.of(4, 5));
    }

    @Test
    void whoeverLeavesGivesUpThePlaceUnlessItHasBegun() {
        var queues = queues(Map.of());
        Disposable first = queues.submit(7, 0).subscribe();
        Disposable second = queues.submit(7, 1).subscribe();
        List<String> answers = new CopyOnWriteArrayList<>();
        queues.submit(7, 2).subscribe(answers::add);

        second.dispose();
        assertThat(queues.waiting()).isEqualTo(2);
        gate.tryEmitEmpty();

        Awaitility.await().atMost(SOON).until(() -> answers.equals(List.of("7:2")));
        assertThat(served).containsExactly(List.of(0), List.of(2));
        first.dispose();
    }

    @Test
    void whatHasBegunIsCarriedOutWithoutAListener() {
        Map<Integer, String> done = new ConcurrentHashMap<>();
        Sinks.Empty<Void> half = Sinks.empty();
        var queues = new RoomQueues<Integer, String>(settings(Map.of()), request -> false, (room, turns) -> {
            turns.forEach(Turn::begin);
            return half.asMono()
                    .then(Mono.fromRunnable(() -> turns.forEach(turn -> {
                        done.put(turn.request(), "done");
                        turn.answer("done");
                    })));
        });
        Disposable caller = queues.submit(7, 1).subscribe();

        caller.dispose();
        half.tryEmitEmpty();

        assertThat(done).containsEntry(1, "done");
        assertThat(queues.waiting()).isZero();
    }

    @Test
    void nobodyWaitsLongerThanTheirPatience() {
        var queues = queues(Map.of("daybreak.rooms.longest-wait", "200ms"));

        StepVerifier.create(queues.submit(7, 1))
                .expectErrorSatisfies(busy ->
                        assertThat(((Refusal) busy).problem().code().name()).isEqualTo("BUSY"))
                .verify(SOON);
        assertThat(queues.waiting()).isZero();
    }

    @Test
    void refusesAtOnceWhenTooManyWait() {
        var queues = queues(Map.of("daybreak.rooms.queue-capacity", "3"));
        Flux.range(0, 3).flatMap(i -> queues.submit(i, i), 3).subscribe();

        StepVerifier.create(queues.submit(9, 9)).expectError(Refusal.class).verify(SOON);
        gate.tryEmitEmpty();
        Awaitility.await().atMost(SOON).until(() -> queues.waiting() == 0);
        StepVerifier.create(queues.submit(9, 9))
                .expectNext("9:9")
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void whoHasNoAnswerStaysInFront() {
        List<Integer> order = new ArrayList<>();
        var queues = new RoomQueues<Integer, String>(
                settings(Map.of()),
                request -> false,
                (room, turns) -> Mono.delay(Duration.ofMillis(5)).then(Mono.fromRunnable(() -> {
                    Turn<Integer, String> first = turns.getFirst();
                    order.add(first.request());
                    first.answer("served");
                })));

        Flux.range(0, 20).flatMap(i -> queues.submit(7, i), 20).blockLast(SOON);

        assertThat(order)
                .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
    }

    @Test
    void aFailureIsToldToThoseItStruckAndTheQueueGoesOn() {
        var queues = new RoomQueues<Integer, String>(settings(Map.of()), request -> false, (room, turns) -> {
            if (turns.getFirst().request() == 0) {
                throw new IllegalStateException("broken");
            }
            return Mono.fromRunnable(() -> turns.forEach(turn -> turn.answer("served")));
        });

        StepVerifier.create(queues.submit(7, 0)).expectErrorMessage("broken").verify(SOON);
        StepVerifier.create(queues.submit(7, 1))
                .expectNext("served")
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void aTransactionThatIsLostDoesNotStopTheRoom() {
        StepVerifier.withVirtualTime(() -> {
                    var queues =
                            new RoomQueues<Integer, String>(settings(Map.of()), request -> false, (room, turns) -> {
                                turns.forEach(Turn::begin);
                                if (turns.getFirst().request() == 0) {
                                    return Mono.never();
                                }
                                return Mono.fromRunnable(() -> turns.forEach(turn -> turn.answer("served")));
                            });
                    return queues.submit(7, 0)
                            .onErrorResume(
                                    Refusal.class,
                                    refusal ->
                                            Mono.just(refusal.problem().code().name()))
                            .concatWith(queues.submit(7, 1));
                })
                .thenAwait(Duration.ofMinutes(2))
                .expectNext("UNAVAILABLE", "served")
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void refusesThoseWhoWaitWhenItIsClosed() {
        var queues = queues(Map.of());
        queues.submit(7, 0).subscribe();
        var waiting = queues.submit(7, 1).cache();
        waiting.subscribe(answer -> {}, failure -> {});

        queues.dispose();

        StepVerifier.create(waiting).expectError(Refusal.class).verify(SOON);
        StepVerifier.create(queues.submit(8, 1)).expectError(Refusal.class).verify(SOON);
        gate.tryEmitEmpty();
    }
}
