package dev.daybreak.room.reserve;

import dev.daybreak.platform.sql.SqlStates;
import dev.daybreak.room.TimeRange;
import java.util.List;
import java.util.Set;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A way to see to it that nobody is in a room that somebody else has. */
interface RoomGuard {

    String name();

    /** The table it writes to. */
    String table();

    /** Reserves if the room is free; emits whether it was. Errors when the database failed. */
    Mono<Boolean> reserve(long room, TimeRange range);

    /** The ways to compare, the naive one first. */
    static List<RoomGuard> all(
            DatabaseClient database,
            TransactionalOperator transaction,
            Ledger ledger,
            RoomQueues<Claim, Outcome> queues) {
        var naive = new Statements(database, "bench_unguarded");
        var guarded = new Statements(database, "bench_guarded");
        return List.of(
                new InTransaction("check, then insert", naive, Locking.NONE, transaction),
                new Constraint(guarded),
                new InTransaction(
                        "SELECT … FOR NO KEY UPDATE of the room, then check", guarded, Locking.ROW, transaction),
                new InTransaction("advisory lock, each with a connection", guarded, Locking.ADVISORY, transaction),
                new Queued(queues));
    }

    enum Locking {
        NONE,
        ROW,
        ADVISORY
    }

    /** Looks and writes in one transaction, with or without a lock before. */
    record InTransaction(String name, Statements statements, Locking locking, TransactionalOperator transaction)
            implements RoomGuard {

        @Override
        public String table() {
            return statements.table();
        }

        @Override
        public Mono<Boolean> reserve(long room, TimeRange range) {
            return statements
                    .lock(room, locking)
                    .then(Mono.defer(() -> statements.isFree(room, range)))
                    .flatMap(free -> free ? statements.insert(room, range).thenReturn(true) : Mono.just(false))
                    .as(transaction::transactional);
        }
    }

    /** Inserts, and takes the constraint's word for it. */
    record Constraint(Statements statements) implements RoomGuard {

        private static final Set<String> CONFLICTS = Set.of(SqlStates.EXCLUSION_VIOLATION, SqlStates.DEADLOCK);

        @Override
        public String name() {
            return "exclusion constraint alone";
        }

        @Override
        public String table() {
            return statements.table();
        }

        @Override
        public Mono<Boolean> reserve(long room, TimeRange range) {
            return statements
                    .insert(room, range)
                    .thenReturn(true)
                    .onErrorResume(
                            failure -> CONFLICTS.contains(String.valueOf(SqlStates.sqlState(failure))),
                            conflict -> Mono.just(false));
        }
    }

    /** As the service does, without looking, holds and passwords. */
    record Queued(RoomQueues<Claim, Outcome> queues) implements RoomGuard {

        static Mono<Void> serve(Ledger ledger, long room, List<Turn<Claim, Outcome>> turns) {
            List<Turn<Claim, Outcome>> begun =
                    turns.stream().filter(Turn::begin).toList();
            List<Claim.Reserve> claims =
                    begun.stream().map(turn -> (Claim.Reserve) turn.request()).toList();
            List<String> hashes = claims.stream().map(claim -> "none").toList();
            return ledger.reserve(room, claims, hashes, begun.getFirst().patience())
                    .doOnNext(verdicts -> {
                        for (int i = 0; i < begun.size(); i++) {
                            boolean reserved = verdicts.get(i).outcome().equals("RESERVED");
                            begun.get(i).answer(reserved ? new Outcome.Known(1) : Outcome.Refused.RESERVATION_CONFLICT);
                        }
                    })
                    .then();
        }

        @Override
        public String name() {
            return "queue in order of arrival, advisory lock, batches";
        }

        @Override
        public String table() {
            return "reservation";
        }

        @Override
        public Mono<Boolean> reserve(long room, TimeRange range) {
            return queues.submit(room, new Claim.Reserve(room, range, "Bench", "none", null, null))
                    .map(outcome -> outcome instanceof Outcome.Known);
        }
    }

    /** The statements that the others are made of. */
    record Statements(DatabaseClient database, String table) {

        static void createTables(DatabaseClient database) {
            Flux.just(
                            "CREATE TABLE bench_outbox (LIKE outbox_event INCLUDING ALL)",
                            "CREATE TABLE bench_guarded (LIKE reservation INCLUDING ALL)",
                            "ALTER TABLE bench_guarded ADD EXCLUDE USING gist (room_id WITH =, tstzrange(start_at, end_at) WITH &&) WHERE (status = 'ACTIVE')",
                            "CREATE TABLE bench_unguarded (LIKE reservation INCLUDING DEFAULTS INCLUDING IDENTITY)",
                            "CREATE INDEX ON bench_unguarded USING gist (room_id, tstzrange(start_at, end_at)) WHERE status = 'ACTIVE'",
                            "INSERT INTO room (name, seats) SELECT 'Room ' || n, 8 FROM generate_series(1, 100) n")
                    .concatMap(sql -> database.sql(sql).then())
                    .blockLast();
        }

        Mono<Void> lock(long room, Locking locking) {
            String sql = switch (locking) {
                case NONE -> "";
                case ROW -> "SELECT 1 FROM room WHERE id = :room FOR NO KEY UPDATE";
                case ADVISORY -> "SELECT pg_advisory_xact_lock(hashtextextended('room:' || :room, 0))";
            };
            return sql.isEmpty()
                    ? Mono.empty()
                    : database.sql(sql).bind("room", room).then();
        }

        Mono<Boolean> isFree(long room, TimeRange range) {
            return database.sql(
                            "SELECT NOT EXISTS (SELECT FROM " + table
                                    + " WHERE room_id = :room AND status = 'ACTIVE' AND tstzrange(start_at, end_at) && tstzrange(:start, :end))")
                    .bind("room", room)
                    .bind("start", range.start())
                    .bind("end", range.end())
                    .mapValue(Boolean.class)
                    .one();
        }

        Mono<Void> insert(long room, TimeRange range) {
            return database.sql("WITH made AS (INSERT INTO " + table + """
                             (room_id, start_at, end_at, name, password_hash, created_at)
                            VALUES (:room, :start, :end, 'Bench', 'none', now()) RETURNING id, room_id, start_at, end_at)
                            INSERT INTO bench_outbox (aggregatetype, aggregateid, type, payload)
                            SELECT 'reservation', id::text, 'ReservationCreated',
                                   jsonb_build_object('reservationId', id, 'roomId', room_id, 'startAt', start_at, 'endAt', end_at)
                            FROM made""")
                    .bind("room", room)
                    .bind("start", range.start())
                    .bind("end", range.end())
                    .then();
        }
    }
}
