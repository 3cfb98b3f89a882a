package dev.daybreak.booking;

import dev.daybreak.schedule.Slot;
import io.r2dbc.spi.Parameter;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/** Cancels a batch of appointments by the function {@code cancel_batch}: one statement, one transaction. */
final class CancelBatch {

    private static final String CANCEL = """
            SELECT outcome, slot_id, doctor_id, start_at, end_at, capacity, booked_count, opens_at, closed, version
            FROM cancel_batch($1, $2, $3, $4, $5)
            """;

    private final DatabaseClient database;
    private final SlotChanges changes;
    private final Clock clock;
    private final BookingSettings settings;

    CancelBatch(DatabaseClient database, SlotChanges changes, Clock clock, BookingSettings settings) {
        this.database = database;
        this.changes = changes;
        this.clock = clock;
        this.settings = settings;
    }

    /** What was decided, outcomes in the order of the cancellations, and the slots that have seats again. */
    record Decided(List<Cancellation.Outcome> outcomes, List<Slot> freed) {

        static final Decided NOTHING = new Decided(List.of(Cancellation.Outcome.NOT_FOUND), List.of());

        private static Decided of(List<Decision> decisions) {
            return new Decided(
                    decisions.stream().map(Decision::outcome).toList(),
                    decisions.stream()
                            .filter(decision -> decision.outcome() == Cancellation.Outcome.CANCELLED)
                            .flatMap(decision -> Stream.ofNullable(decision.slot()))
                            .toList());
        }
    }

    /** Emits one outcome a cancellation, in their order. May be repeated: what was cancelled then stays as it is. */
    Mono<List<Cancellation.Outcome>> cancel(List<Cancellation> cancellations) {
        return decide(cancellations).doOnNext(this::announce).map(Decided::outcomes);
    }

    void announce(Decided decided) {
        changes.seatsFreed(decided.freed().stream());
    }

    /** As {@link #cancel} in a transaction of the caller's, who after the commit {@linkplain #announce announces} what was decided. */
    Mono<Decided> decide(List<Cancellation> cancellations) {
        return database.sql(CANCEL)
                .bind(0, cancellations.stream().map(Cancellation::appointmentId).toArray(Long[]::new))
                .bind(1, cancellations.stream().map(Cancellation::actor).toArray(String[]::new))
                .bind(2, cancellations.stream().map(Cancellation::reason).toArray(String[]::new))
                .bind(3, clock.instant())
                .bind(4, latest())
                .map(Decision::from)
                .all()
                .collectList()
                .map(Decided::of);
    }

    private Parameter latest() {
        Duration latest = settings.latestCancel();
        return latest == null ? Parameters.in(Double.class) : Parameters.in(latest.toMillis() / 1000.0);
    }

    private record Decision(
            Cancellation.Outcome outcome, @Nullable Slot slot) {

        static Decision from(Readable row) {
            return new Decision(
                    Cancellation.Outcome.valueOf(row.get(0, String.class)),
                    row.get(1, Long.class) == null ? null : Slot.fromColumns(row, 1));
        }
    }
}
