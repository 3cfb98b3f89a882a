package dev.daybreak.room.reserve;

import static dev.daybreak.platform.sql.Columns.required;

import dev.daybreak.room.Reservation;
import dev.daybreak.room.ReservationStatus;
import dev.daybreak.room.Reservations;
import dev.daybreak.room.TimeRange;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import reactor.core.publisher.Mono;

/** Writes the table {@code reservation} by its functions, each of which is one transaction, and reads what only its owners and the clinic may see. */
final class Ledger {

    private static final String RESERVE = """
            SELECT outcome, reservation_id FROM reserve_room($1, $2, $3, $4, $5, $6, $7, $8) ORDER BY ord""";

    private static final String MOVE = """
            SELECT outcome, from_room, from_start, from_end
            FROM move_reservation(:id, :room, :start, :end, :actor, :earliest, :patience, :now)""";

    private static final String CANCEL = """
            SELECT outcome, room_id, start_at, end_at FROM cancel_reservation(:id, :actor, :reason, :now)""";

    private static final String SECRET = "SELECT " + Reservations.COLUMNS + """
            , r.password_hash
            FROM reservation r WHERE r.id = :id""";

    private static final String LOCK =
            "SELECT " + Reservations.COLUMNS + "FROM reservation r WHERE r.id = :id FOR NO KEY UPDATE";

    private static final String BY_NAME = "SELECT " + Reservations.COLUMNS + """
            , r.password_hash
            FROM reservation r
            WHERE lower(r.name) = lower(:name) AND r.end_at > :now AND r.status = 'ACTIVE'
            ORDER BY r.start_at, r.id
            LIMIT :limit""";

    private static final String OF_DAY = "SELECT " + Reservations.COLUMNS + """
            FROM reservation r
            WHERE r.start_at < :to AND r.start_at > :earliest AND r.end_at > :from
              AND (:room::bigint IS NULL OR r.room_id = :room)
              AND (:status::text IS NULL OR r.status = :status)
            ORDER BY r.start_at, r.id
            LIMIT :limit""";

    private static final Duration LONGEST = Duration.ofDays(7); // the settings allow no longer stay

    private final DatabaseClient queues;
    private final DatabaseClient database;
    private final Clock clock;

    /** @param queues connections of the queues, which wait for rooms */
    Ledger(DatabaseClient queues, DatabaseClient database, Clock clock) {
        this.queues = queues;
        this.database = database;
        this.clock = clock;
    }

    /** A row of the answer to a claim. */
    record Verdict(String outcome, @Nullable Long reservationId, Instant at) {}

    /** @param from what the reservation had before, if it was moved */
    record MoveVerdict(
            String outcome,
            @Nullable Long fromRoom,
            @Nullable TimeRange from) {}

    /** @param range what was cancelled; null if nothing was */
    record CancelVerdict(
            String outcome, @Nullable Long roomId, @Nullable TimeRange range) {}

    /** A reservation and the hash of its password. */
    record Secret(Reservation reservation, String hash) {

        @Override
        public String toString() {
            return "Secret[" + reservation.id() + "]";
        }
    }

    /** Emits what {@link #reserve} would answer if nobody else came first, with FREE for RESERVED. Writes and locks nothing. */
    Mono<List<Verdict>> look(long room, List<Claim.Reserve> claims) {
        return reserve(room, claims, new String[claims.size()], null);
    }

    /**
     * Emits one verdict a claim, in their order. Waits for the room that long, and errors with a lock timeout then. May be
     * repeated for claims with a key.
     */
    Mono<List<Verdict>> reserve(long room, List<Claim.Reserve> claims, List<String> hashes, Duration patience) {
        return reserve(room, claims, hashes.toArray(String[]::new), Math.toIntExact(patience.toMillis()));
    }

    private Mono<List<Verdict>> reserve(
            long room, List<Claim.Reserve> claims, @Nullable String[] hashes, @Nullable Integer patience) {
        return Mono.defer(() -> {
            Instant now = clock.instant();
            return queues.sql(RESERVE)
                    .bind(0, room)
                    .bind(1, seconds(claims, TimeRange::start))
                    .bind(2, seconds(claims, TimeRange::end))
                    .bind(3, claims.stream().map(Claim.Reserve::name).toArray(String[]::new))
                    .bind(4, hashes)
                    .bind(5, claims.stream().map(Claim.Reserve::key).toArray(String[]::new))
                    .bind(6, Parameter.fromOrEmpty(patience, Integer.class))
                    .bind(7, now)
                    .map(row ->
                            new Verdict(Objects.requireNonNull(row.get(0, String.class)), row.get(1, Long.class), now))
                    .all()
                    .collectList();
        });
    }

    private static Long[] seconds(List<Claim.Reserve> claims, Function<TimeRange, Instant> time) {
        ToLongFunction<Claim.Reserve> second =
                claim -> time.apply(claim.range()).getEpochSecond();
        return claims.stream().mapToLong(second).boxed().toArray(Long[]::new);
    }

    /** As {@link #reserve}, for a move. {@code earliest} is the first start that a reservation may be given. */
    Mono<MoveVerdict> move(Claim.Move claim, Instant earliest, Duration patience) {
        return Mono.defer(() -> queues.sql(MOVE)
                .bind("id", claim.reservationId())
                .bind("room", claim.roomId())
                .bind("start", claim.range().start().getEpochSecond())
                .bind("end", claim.range().end().getEpochSecond())
                .bind("actor", Reservation.OWNER)
                .bind("earliest", earliest)
                .bind("patience", Math.toIntExact(patience.toMillis()))
                .bind("now", clock.instant())
                .map(row -> new MoveVerdict(
                        required(row, "outcome", String.class),
                        row.get("from_room", Long.class),
                        range(row, "from_start", "from_end")))
                .one());
    }

    Mono<CancelVerdict> cancel(long id, String actor, @Nullable String reason) {
        return Mono.defer(() -> database.sql(CANCEL)
                .bind("id", id)
                .bind("actor", actor)
                .bind("reason", Parameter.fromOrEmpty(reason, String.class))
                .bind("now", clock.instant())
                .map(row -> new CancelVerdict(
                        required(row, "outcome", String.class),
                        row.get("room_id", Long.class),
                        range(row, "start_at", "end_at")))
                .one());
    }

    /** Emits the reservation, which nobody else changes until the transaction ends. Empty if there is none. */
    Mono<Reservation> lock(long id) {
        return database.sql(LOCK).bind("id", id).map(Reservations::read).one();
    }

    /** Empty if there is no such reservation. */
    Mono<Secret> secret(long id) {
        return database.sql(SECRET).bind("id", id).map(Ledger::readSecret).one();
    }

    /** Emits the active reservations of that name that are not over, upper or lower case, by start. */
    Mono<List<Secret>> byName(String name, int limit) {
        return Mono.defer(() -> database.sql(BY_NAME)
                .bind("name", name)
                .bind("now", clock.instant())
                .bind("limit", limit)
                .map(Ledger::readSecret)
                .all()
                .collectList());
    }

    /** Emits what lies in {@code [from, to)}, cancelled ones included unless a status is asked for, by start. */
    Mono<List<Reservation>> ofDay(
            Instant from, Instant to, @Nullable Long room, @Nullable ReservationStatus status, int limit) {
        return database.sql(OF_DAY)
                .bind("from", from)
                .bind("to", to)
                .bind("earliest", from.minus(LONGEST))
                .bind("room", Parameter.fromOrEmpty(room, Long.class))
                .bind("status", Parameter.fromOrEmpty(status == null ? null : status.name(), String.class))
                .bind("limit", limit)
                .map(Reservations::read)
                .all()
                .collectList();
    }

    private static Secret readSecret(Readable row) {
        return new Secret(Reservations.read(row), required(row, "password_hash", String.class));
    }

    private static @Nullable TimeRange range(Readable row, String start, String end) {
        Instant from = row.get(start, Instant.class);
        Instant to = row.get(end, Instant.class);
        return from == null || to == null ? null : new TimeRange(from, to);
    }
}
