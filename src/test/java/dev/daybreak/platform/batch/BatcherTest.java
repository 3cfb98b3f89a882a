package dev.daybreak.platform.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcRollbackException;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** The batcher alone: requests are numbers, a batch is decided when the test says so. */
class BatcherTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<List<Integer>> batches = new ArrayList<>();
    private Sinks.Empty<Void> gate = Sinks.empty();

    @Test
    void startsAtOnceWhenNothingRuns() {
        StepVerifier.create(batcher(1, 64, 64, this::squares).submit(3))
                .expectNext(9)
                .expectComplete()
                .verify(PATIENCE);
        assertThat(batches).containsExactly(List.of(3));
    }

    @Test
    void startsNothingBeforeTheSubscription() {
        batcher(1, 64, 64, this::squares).submit(3);

        assertThat(batches).isEmpty();
    }

    @Test
    void gathersWhatArrivesWhileABatchRunsInOrderOfArrival() {
        var batcher = batcher(1, 64, 64, this::gated);
        var answers = submitAll(batcher, IntStream.rangeClosed(1, 5).boxed().toList());
        assertThat(batches).containsExactly(List.of(1));

        openGate();

        assertThat(batches).containsExactly(List.of(1), List.of(2, 3, 4, 5));
        assertThat(answers).containsExactly("1", "4", "9", "16", "25");
        assertThat(batcher.waiting()).isZero();
    }

    @Test
    void takesNoMoreThanItsSizeAtOnce() {
        submitAll(
                batcher(1, 3, 64, this::gated),
                IntStream.rangeClosed(1, 8).boxed().toList());

        openGate();

        assertThat(batches).containsExactly(List.of(1), List.of(2, 3, 4), List.of(5, 6, 7), List.of(8));
    }

    @Test
    void keepsTheOrderOfEachLane() {
        submitAll(
                batcher(2, 64, 64, this::gated), IntStream.range(0, 20).boxed().toList());

        openGate();

        assertThat(batches.stream().flatMap(List::stream).filter(n -> n % 2 == 0))
                .isSorted()
                .hasSize(10);
        assertThat(batches.stream().flatMap(List::stream).filter(n -> n % 2 == 1))
                .isSorted()
                .hasSize(10);
        assertThat(batches)
                .allMatch(batch -> batch.stream().map(n -> n % 2).distinct().count() == 1);
    }

    @Test
    void refusesAtOnceWhenTheQueueIsFullAndServesTheOthers() {
        var batcher = batcher(1, 64, 3, this::gated);
        var answers = submitAll(batcher, List.of(1, 2, 3));

        StepVerifier.create(batcher.submit(4))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .asInstanceOf(type(Refusal.class))
                        .extracting(Refusal::problem)
                        .satisfies(problem -> {
                            assertThat(problem.code()).isEqualTo(ProblemCode.BUSY);
                            assertThat(problem.retryAfter()).isPositive();
                        }))
                .verify(PATIENCE);
        openGate();

        assertThat(answers).containsExactly("1", "4", "9");
        StepVerifier.create(batcher.submit(4)).expectNext(16).expectComplete().verify(PATIENCE);
    }

    @Test
    void failsOnlyTheOneThatCannotBeDone() {
        var batcher =
                batcher(1, 64, 64, gatedUnless(batch -> batch.contains(3), () -> new IllegalStateException("poison")));
        var answers = submitAll(batcher, List.of(1, 2, 3, 4));

        openGate();

        assertThat(answers).containsExactly("1", "4", "poison", "16");
        assertThat(batches).containsExactly(List.of(1), List.of(2, 3, 4), List.of(2), List.of(3), List.of(4));
        assertThat(batcher.waiting()).isZero();
    }

    @Test
    void triesATransientConflictAgain() {
        for (String state : List.of("40001", "40P01")) {
            var failures = new AtomicInteger();
            var batcher = batcher(
                    1,
                    64,
                    64,
                    batch -> Mono.defer(() -> failures.incrementAndGet() <= 2
                            ? Mono.error(new R2dbcRollbackException("conflict", state))
                            : squares(batch)));

            StepVerifier.create(batcher.submit(3))
                    .expectNext(9)
                    .expectComplete()
                    .verify(PATIENCE);
            assertThat(failures).as(state).hasValue(3);
        }
    }

    @Test
    void givesUpOnAConflictThatDoesNotEnd() {
        var tries = new AtomicInteger();
        var conflict = new R2dbcRollbackException("conflict", "40001");
        var batcher = batcher(
                1,
                64,
                64,
                batch -> Mono.defer(() -> {
                    tries.incrementAndGet();
                    return Mono.error(conflict);
                }));

        StepVerifier.create(batcher.submit(3))
                .expectErrorSatisfies(failure -> assertThat(failure).isSameAs(conflict))
                .verify(PATIENCE);
        assertThat(tries).hasValueBetween(2, 10);
        assertThat(batcher.waiting()).isZero();
    }

    @Test
    void failsAsAWholeWhenTheDatabaseIsSlowOrAway() {
        List<R2dbcException> failures = List.of(
                new R2dbcTimeoutException("lock", "55P03"),
                new R2dbcTimeoutException("statement", "57014"),
                new R2dbcNonTransientResourceException("gone", "08006"),
                new R2dbcNonTransientResourceException("shut down", "57P01"));
        for (R2dbcException failure : failures) {
            batches.clear();
            gate = Sinks.empty();
            var batcher = batcher(1, 64, 64, gatedUnless(batch -> batch.size() > 1, () -> failure));
            var answers = submitAll(batcher, List.of(1, 2, 3));

            openGate();

            String told = failure.getMessage();
            assertThat(answers).containsExactly("1", told, told);
            assertThat(batches)
                    .as("not one by one: each would wait as long")
                    .containsExactly(List.of(1), List.of(2, 3));
            assertThat(batcher.waiting()).isZero();
        }
    }

    @Test
    void failsAsAWholeWhereThatIsAskedFor() {
        var batcher = new Batcher<Integer, Integer>(
                new BatchLimits(1, 64, 64),
                BatchFailures.FAIL_ALL,
                Integer::longValue,
                gatedUnless(batch -> batch.size() > 1, () -> new R2dbcRollbackException("conflict", "40001")));
        var answers = submitAll(batcher, List.of(1, 2, 3));

        openGate();

        assertThat(answers).containsExactly("1", "conflict", "conflict");
        assertThat(batches).containsExactly(List.of(1), List.of(2, 3));
    }

    @Test
    void failsRequestsWhoseAnswersAreMissing() {
        var batcher = batcher(1, 64, 64, batch -> gate.asMono().thenReturn(List.of()));
        var answers = submitAll(batcher, List.of(1, 2, 3));

        openGate();

        assertThat(answers).hasSize(3).allMatch(answer -> answer.startsWith("0 answers to"));
        assertThat(batcher.waiting()).isZero();
    }

    @Test
    void failsRatherThanHangsWhenTheWorkThrows() {
        var broken = new AtomicInteger(1);
        var batcher = batcher(1, 64, 64, batch -> {
            if (broken.getAndDecrement() > 0) {
                throw new IllegalStateException("thrown");
            }
            return squares(batch);
        });

        StepVerifier.create(batcher.submit(3)).expectErrorMessage("thrown").verify(PATIENCE);
        StepVerifier.create(batcher.submit(3)).expectNext(9).expectComplete().verify(PATIENCE);
        assertThat(batcher.waiting()).isZero();
    }

    @Test
    void decidesForThoseWhoHaveLeft() {
        var batcher = batcher(1, 64, 64, this::gated);
        submitAll(batcher, List.of(1));
        batcher.submit(2).subscribe().dispose();
        var answers = submitAll(batcher, List.of(3));

        openGate();

        assertThat(batches).containsExactly(List.of(1), List.of(2, 3));
        assertThat(answers).containsExactly("9");
        assertThat(batcher.waiting()).isZero();
    }

    @Test
    void finishesABatchWhoseSubscribersAllLeft() {
        var batcher = batcher(1, 64, 64, this::gated);
        batcher.submit(1).subscribe().dispose();

        openGate();

        assertThat(batcher.waiting()).isZero();
        StepVerifier.create(batcher.submit(2)).expectNext(4).expectComplete().verify(PATIENCE);
    }

    @Test
    void answersEveryOneOfACrowdWithNoMoreBatchesInFlightThanLanes() {
        var inFlight = new AtomicInteger();
        var most = new AtomicInteger();
        var batcher = batcher(
                3,
                16,
                100_000,
                batch -> Mono.fromSupplier(() -> most.accumulateAndGet(inFlight.incrementAndGet(), Math::max))
                        .then(Mono.delay(Duration.ofNanos(200_000)))
                        .doOnNext(tick -> inFlight.decrementAndGet())
                        .thenReturn(batch.stream().map(n -> n * n).toList()));

        List<Integer> wrong = Flux.range(0, 20_000)
                .flatMap(
                        n -> Mono.defer(() -> batcher.submit(n))
                                .subscribeOn(Schedulers.parallel())
                                .filter(answer -> answer != n * n)
                                .map(answer -> n),
                        1_000)
                .collectList()
                .block(Duration.ofSeconds(30));

        assertThat(wrong).isEmpty();
        assertThat(most).hasValueBetween(1, 3);
        assertThat(batcher.waiting()).isZero();
    }

    @Test
    void decidesACrowdInHalvesSoThatOneIsDecidedWhileTheOtherIsAnswered() {
        var batcher = batcher(1, 256, 1_000, this::gated);
        submitAll(batcher, IntStream.range(0, 201).boxed().toList());

        openGate();

        // Half of those who waited and the one who was answered; then the rest, as nobody comes back.
        assertThat(batches).extracting(List::size).containsExactly(1, 101, 99);
        assertThat(batches.stream().flatMap(List::stream)).isSorted().hasSize(201);
    }

    @Test
    void keepsPairsOfHalvesAsLongAsEverybodyComesBack() {
        var gates = new ConcurrentLinkedQueue<Sinks.Empty<Void>>();
        var batcher = batcher(1, 256, 1_000, batch -> {
            batches.add(batch);
            Sinks.Empty<Void> answer = Sinks.empty();
            gates.add(answer);
            return answer.asMono().thenReturn(batch);
        });
        for (int patient = 0; patient < 128; patient++) {
            int number = patient;
            Mono.defer(() -> batcher.submit(number)).repeat(9).subscribe();
        }

        while (!gates.isEmpty()) {
            gates.poll().tryEmitEmpty();
        }

        assertThat(batches).hasSizeGreaterThan(16);
        assertThat(batches.subList(4, 16)).allSatisfy(batch -> assertThat(batch).hasSizeBetween(56, 72));
        assertThat(batches.stream().mapToInt(List::size).sum()).isEqualTo(1_280);
    }

    @Test
    void takesAFewTogether() {
        var batcher = batcher(1, 256, 1_000, this::gated);
        submitAll(batcher, IntStream.range(0, 17).boxed().toList());

        openGate();

        assertThat(batches).extracting(List::size).containsExactly(1, 16);
    }

    private Batcher<Integer, Integer> batcher(
            int lanes, int size, int queue, Function<List<Integer>, Mono<List<Integer>>> work) {
        return new Batcher<>(
                new BatchLimits(lanes, size, queue), BatchFailures.RETRY_THEN_ONE_BY_ONE, Integer::longValue, work);
    }

    private Mono<List<Integer>> squares(List<Integer> batch) {
        batches.add(batch);
        return Mono.just(batch.stream().map(n -> n * n).toList());
    }

    /** As {@link #squares}, once the gate is open. */
    private Mono<List<Integer>> gated(List<Integer> batch) {
        return Mono.when(gate.asMono()).then(squares(batch));
    }

    private interface Condition {
        boolean holds(List<Integer> batch);
    }

    private interface Failure {
        Throwable of();
    }

    private Function<List<Integer>, Mono<List<Integer>>> gatedUnless(Condition fails, Failure failure) {
        return batch -> fails.holds(batch)
                ? Mono.defer(() -> {
                    batches.add(batch);
                    return Mono.error(failure.of());
                })
                : gated(batch);
    }

    private void openGate() {
        gate.tryEmitEmpty();
    }

    /** Subscribes one after the other; the list fills with answers or messages of failures, in order of their arrival. */
    private static ConcurrentLinkedQueue<String> submitAll(Batcher<Integer, Integer> batcher, List<Integer> requests) {
        var answers = new ConcurrentLinkedQueue<String>();
        requests.forEach(request -> batcher.submit(request)
                .subscribe(answer -> answers.add(answer.toString()), failure -> answers.add(failure.getMessage())));
        return answers;
    }
}
