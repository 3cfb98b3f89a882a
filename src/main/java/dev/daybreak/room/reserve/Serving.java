package dev.daybreak.room.reserve;

import dev.daybreak.platform.password.Passwords;
import dev.daybreak.platform.sql.SqlStates;
import dev.daybreak.room.HeldRanges;
import dev.daybreak.room.Reservation;
import dev.daybreak.room.ReservationStatus;
import dev.daybreak.room.RoomTimes;
import dev.daybreak.room.reserve.Ledger.MoveVerdict;
import dev.daybreak.room.reserve.Ledger.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Serves the first in a room's queue. Looks before it hashes: a password costs a core for some 50 ms, so only those have theirs hashed who
 * would get the room if nobody else came first, and a crowd that wants one hour is refused at the speed of PostgreSQL. The look
 * may be wrong; the transaction that follows decides.
 */
final class Serving {

    /** Passwords hashed for one transaction; the first of them waits for the last. */
    private static final int HASHED_TOGETHER = 4;

    private static final Duration PAUSE = Duration.ofMillis(10);

    private final Ledger ledger;
    private final HeldRanges held;
    private final Passwords passwords;
    private final RoomTimes times;
    private final Changes changes;

    Serving(Ledger ledger, HeldRanges held, Passwords passwords, RoomTimes times, Changes changes) {
        this.ledger = ledger;
        this.held = held;
        this.passwords = passwords;
        this.times = times;
        this.changes = changes;
    }

    /** A turn that may get the room, and what its password became. */
    private record Candidate(Turn<Claim, Outcome> turn, Claim.Reserve claim, String hash) {}

    /** As {@link RoomQueues} wants its work: one move, or some reservations. */
    Mono<Void> serve(long room, List<Turn<Claim, Outcome>> turns) {
        Turn<Claim, Outcome> first = turns.getFirst();
        return switch (first.request()) {
            case Claim.Move move -> move(first, move);
            case Claim.Reserve reserve -> reserve(room, turns);
        };
    }

    private Mono<Void> reserve(long room, List<Turn<Claim, Outcome>> turns) {
        return ledger.look(room, turns.stream().map(Serving::reservation).toList())
                .flatMap(verdicts -> Mono.usingWhen(
                        answerAllButFree(turns, verdicts),
                        free -> hash(firstComers(free)).flatMap(candidates -> reserve(room, begun(candidates), true)),
                        this::letGo));
    }

    private static Claim.Reserve reservation(Turn<Claim, Outcome> turn) {
        return (Claim.Reserve) turn.request();
    }

    /** Emits the turns whose range is free and not held by somebody else; nobody can hold it until it is let go. */
    private Mono<List<Turn<Claim, Outcome>>> answerAllButFree(
            List<Turn<Claim, Outcome>> turns, List<Verdict> verdicts) {
        var free = new ArrayList<Turn<Claim, Outcome>>();
        for (int i = 0; i < turns.size(); i++) {
            if (verdicts.get(i).outcome().equals("FREE")) {
                free.add(turns.get(i));
            } else {
                turns.get(i).answer(outcome(verdicts.get(i), reservation(turns.get(i))));
            }
        }
        return Flux.fromIterable(free)
                .flatMapSequential(turn -> isHeld(turn.request()).mapNotNull(taken -> {
                    if (taken) {
                        turn.answer(Outcome.Refused.HOLD_CONFLICT);
                        return null;
                    }
                    return turn;
                }))
                .collectList();
    }

    private Mono<Void> letGo(List<Turn<Claim, Outcome>> turns) {
        return Flux.fromIterable(turns).flatMap(turn -> letGo(turn.request())).then();
    }

    private Mono<Void> letGo(Claim claim) {
        return held.letGo(claim.roomId(), claim.range()).onErrorComplete();
    }

    private Mono<Boolean> isHeld(Claim claim) {
        return Mono.defer(() -> held.heldByAnother(claim.roomId(), claim.range(), claim.holdToken()))
                .defaultIfEmpty(false)
                .onErrorReturn(false);
    }

    /** Those who are in nobody's way who came before them and has no answer yet. */
    private static List<Turn<Claim, Outcome>> firstComers(List<Turn<Claim, Outcome>> free) {
        List<Turn<Claim, Outcome>> turns = free.stream().filter(Turn::isOpen).toList();
        var first = new ArrayList<Turn<Claim, Outcome>>();
        for (int i = 0; i < turns.size() && first.size() < HASHED_TOGETHER; i++) {
            Turn<Claim, Outcome> turn = turns.get(i);
            if (turns.subList(0, i).stream().noneMatch(earlier -> inTheWay(earlier, turn))) {
                first.add(turn);
            }
        }
        return first;
    }

    private static boolean inTheWay(Turn<Claim, Outcome> earlier, Turn<Claim, Outcome> later) {
        return earlier.request().range().overlaps(later.request().range());
    }

    /** Emits those whose password was hashed; the others have been told why not. */
    private Mono<List<Candidate>> hash(List<Turn<Claim, Outcome>> turns) {
        return Flux.fromIterable(turns)
                .flatMapSequential(turn -> {
                    Claim.Reserve claim = reservation(turn);
                    return passwords
                            .hash(claim.password())
                            .map(hash -> new Candidate(turn, claim, hash))
                            .onErrorResume(failure -> Mono.fromRunnable(() -> turn.fail(failure)));
                })
                .collectList();
    }

    private static List<Candidate> begun(List<Candidate> candidates) {
        return candidates.stream().filter(candidate -> candidate.turn().begin()).toList();
    }

    private Mono<Void> reserve(long room, List<Candidate> candidates, boolean together) {
        if (candidates.isEmpty()) {
            return Mono.empty();
        }
        return retried(() -> ledger.reserve(
                        room,
                        candidates.stream().map(Candidate::claim).toList(),
                        candidates.stream().map(Candidate::hash).toList(),
                        leastPatience(candidates)))
                .flatMap(verdicts -> settle(candidates, verdicts))
                .onErrorResume(failure -> together && candidates.size() > 1 && !SqlStates.isUnavailable(failure)
                        ? oneByOne(room, candidates)
                        : Mono.fromRunnable(() -> candidates.forEach(lost -> fail(lost.turn(), failure))));
    }

    // The patience of one must not end that of the others, nor a bad request theirs.
    private Mono<Void> oneByOne(long room, List<Candidate> candidates) {
        return Flux.fromIterable(candidates)
                .concatMap(candidate -> reserve(room, List.of(candidate), false))
                .then();
    }

    private static Duration leastPatience(List<Candidate> candidates) {
        return candidates.stream()
                .map(candidate -> candidate.turn().patience())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private Mono<Void> settle(List<Candidate> candidates, List<Verdict> verdicts) {
        List<Mono<Void>> settled = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            Outcome outcome = outcome(verdicts.get(i), candidate.claim());
            settled.add(
                    outcome instanceof Outcome.Reserved
                            ? consumeHold(candidate.claim()).then(Mono.fromRunnable(() -> {
                                changes.announce(
                                        candidate.claim().roomId(),
                                        candidate.claim().range());
                                candidate.turn().answer(outcome);
                            }))
                            : Mono.fromRunnable(() -> candidate.turn().answer(outcome)));
        }
        return Flux.fromIterable(settled).flatMap(each -> each).then();
    }

    private Mono<Void> consumeHold(Claim claim) {
        String token = claim.holdToken();
        return token == null
                ? Mono.empty()
                : Mono.defer(() -> held.consume(claim.roomId(), token)).onErrorComplete();
    }

    private static Outcome outcome(Verdict verdict, Claim.Reserve claim) {
        return switch (verdict.outcome()) {
            case "RESERVED" ->
                new Outcome.Reserved(new Reservation(
                        Objects.requireNonNull(verdict.reservationId()),
                        claim.roomId(),
                        claim.range(),
                        claim.name(),
                        ReservationStatus.ACTIVE,
                        1,
                        verdict.at(),
                        List.of(),
                        null,
                        null,
                        null));
            case "REPLAYED" -> new Outcome.Known(Objects.requireNonNull(verdict.reservationId()));
            default -> Outcome.Refused.valueOf(verdict.outcome());
        };
    }

    private Mono<Void> move(Turn<Claim, Outcome> turn, Claim.Move claim) {
        return isHeld(claim).flatMap(taken -> {
            if (taken) {
                turn.answer(Outcome.Refused.HOLD_CONFLICT);
                return Mono.empty();
            }
            Mono<Void> moved = retried(() -> ledger.move(claim, times.earliest(), turn.patience()))
                    .flatMap(verdict -> settle(turn, claim, verdict))
                    .onErrorResume(failure -> Mono.fromRunnable(() -> fail(turn, failure)));
            return (turn.begin() ? moved : Mono.<Void>empty()).then(letGo(claim));
        });
    }

    private Mono<Void> settle(Turn<Claim, Outcome> turn, Claim.Move claim, MoveVerdict verdict) {
        return switch (verdict.outcome()) {
            case "MOVED" ->
                consumeHold(claim).then(Mono.fromRunnable(() -> {
                    changes.announce(
                            Objects.requireNonNull(verdict.fromRoom()), Objects.requireNonNull(verdict.from()));
                    changes.announce(claim.roomId(), claim.range());
                    turn.answer(new Outcome.Moved(claim.reservationId()));
                }));
            case "UNCHANGED" -> Mono.fromRunnable(() -> turn.answer(new Outcome.Moved(claim.reservationId())));
            default -> Mono.fromRunnable(() -> turn.answer(Outcome.Refused.valueOf(verdict.outcome())));
        };
    }

    private static <T> Mono<T> retried(Supplier<Mono<T>> transaction) {
        return Mono.defer(transaction)
                .retryWhen(Retry.backoff(3, PAUSE)
                        .filter(SqlStates::isTransientConflict)
                        .onRetryExhaustedThrow((retry, last) -> last.failure()));
    }

    /** Two who want the same time and meet in the constraint have a conflict, not a failure. */
    private static void fail(Turn<Claim, Outcome> turn, Throwable failure) {
        @Nullable String state = SqlStates.sqlState(failure);
        if (SqlStates.DEADLOCK.equals(state) || SqlStates.EXCLUSION_VIOLATION.equals(state)) {
            turn.answer(Outcome.Refused.RESERVATION_CONFLICT);
        } else {
            turn.fail(failure);
        }
    }
}
