package dev.daybreak.room.reserve;

import dev.daybreak.platform.password.PasswordAttempts;
import dev.daybreak.platform.password.Passwords;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.room.Reservation;
import dev.daybreak.room.Reservations;
import dev.daybreak.room.reserve.Ledger.Secret;
import dev.daybreak.room.reserve.Outcome.Known;
import dev.daybreak.room.reserve.Outcome.Refused;
import dev.daybreak.room.reserve.Outcome.Replayed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reserves rooms, and moves, cancels and finds reservations. Every method is cold, and errors with a {@code Refusal} where the request
 * cannot be served. Claims wait in the queue of the room they want; once their transaction has begun they are carried out,
 * whoever is still there.
 */
final class Reserving {

    /** Of one name; each password that is compared costs a core for some 50 ms. */
    private static final int COMPARED = 20;

    private final RoomQueues<Claim, Outcome> queues;
    private final Ledger ledger;
    private final Reservations reservations;
    private final Passwords passwords;
    private final PasswordAttempts attempts;
    private final Changes changes;

    Reserving(
            RoomQueues<Claim, Outcome> queues,
            Ledger ledger,
            Reservations reservations,
            Passwords passwords,
            PasswordAttempts attempts,
            Changes changes) {
        this.queues = queues;
        this.ledger = ledger;
        this.reservations = reservations;
        this.passwords = passwords;
        this.attempts = attempts;
        this.changes = changes;
    }

    /** Claims for one room are decided in the order in which they are subscribed to. */
    Mono<Outcome> reserve(Claim.Reserve claim, String address) {
        return queues.submit(claim.roomId(), claim)
                .flatMap(
                        outcome -> outcome instanceof Known known ? replay(known, claim, address) : Mono.just(outcome));
    }

    // The database compares what it can; a password it cannot.
    private Mono<Outcome> replay(Known known, Claim.Reserve claim, String address) {
        return ledger.secret(known.reservationId())
                .flatMap(secret -> isRight(secret, claim.password(), address)
                        .map(right -> right ? new Replayed(secret.reservation()) : Refused.KEY_REUSED));
    }

    /** The password must have been right; see {@link #owned}. */
    Mono<Outcome> move(Claim.Move claim) {
        return queues.submit(claim.roomId(), claim);
    }

    Mono<Reservation> find(long id) {
        return reservations.find(id);
    }

    /** Emits the reservation, whose password it is. */
    Mono<Reservation> owned(long id, String password, String address) {
        return ledger.secret(id)
                .switchIfEmpty(Mono.error(() -> new Refusal(ProblemCode.RESERVATION_NOT_FOUND)))
                .flatMap(secret -> isRight(secret, password, address)
                        .flatMap(right -> right
                                ? Mono.just(secret.reservation())
                                : Mono.error(new Refusal(ProblemCode.RESERVATION_FORBIDDEN))));
    }

    private Mono<Boolean> isRight(Secret secret, String password, String address) {
        return attempts.limit(
                address,
                "reservation:" + secret.reservation().id(),
                passwords.matches(password, secret.hash()),
                right -> right);
    }

    /** Emits what is still to come of that name and password, by start; nothing of those with another password. */
    Mono<List<Reservation>> search(String name, String password, String address) {
        String subject =
                "name:" + UUID.nameUUIDFromBytes(name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
        return ledger.byName(name, COMPARED)
                .flatMap(found ->
                        attempts.limit(address, subject, matching(found, password), matching -> !matching.isEmpty()));
    }

    private Mono<List<Reservation>> matching(List<Secret> found, String password) {
        if (found.isEmpty()) {
            return passwords.matchesNothing(password).thenReturn(List.of());
        }
        return Flux.fromIterable(found)
                .filterWhen(secret -> passwords.matches(password, secret.hash()), 1)
                .map(Secret::reservation)
                .collectList();
    }

    /** Makes room, once however often it is called. Errors with RESERVATION_NOT_FOUND if there is nothing to cancel. */
    Mono<Void> cancel(long id, @Nullable String reason) {
        return Detached.run(ledger.cancel(id, Reservation.OWNER, reason).doOnNext(changes::announce))
                .flatMap(verdict -> switch (verdict.outcome()) {
                    case "CANCELLED", "UNCHANGED" -> Mono.empty();
                    default -> Mono.error(new Refusal(ProblemCode.RESERVATION_NOT_FOUND));
                });
    }
}
