package dev.daybreak.booking;

import dev.daybreak.booking.HoldOutcome.AtItsLimit;
import dev.daybreak.booking.HoldOutcome.Confirmed;
import dev.daybreak.booking.HoldOutcome.Expired;
import dev.daybreak.booking.HoldOutcome.Extended;
import dev.daybreak.booking.HoldOutcome.NoSuchHold;
import dev.daybreak.booking.HoldOutcome.Released;
import dev.daybreak.booking.HoldOutcome.WrongToken;
import dev.daybreak.schedule.Slot;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/** Changes holds by the functions {@code change_holds} and {@code expire_holds}: one statement, one transaction each. */
final class HoldBatch {

    private static final String CHANGE = """
            SELECT outcome, expires_at, slot_id, doctor_id, start_at, end_at, capacity, booked_count, opens_at, closed, version
            FROM change_holds($1, $2, $3, $4, $5, $6)
            """;

    private static final String EXPIRE = """
            SELECT seats, slot_id, doctor_id, start_at, end_at, capacity, booked_count, opens_at, closed, version
            FROM expire_holds($1, $2)
            """;

    private final DatabaseClient database;
    private final Appointments appointments;
    private final SlotChanges changes;
    private final Clock clock;
    private final BookingSettings settings;

    HoldBatch(
            DatabaseClient database,
            Appointments appointments,
            SlotChanges changes,
            Clock clock,
            BookingSettings settings) {
        this.database = database;
        this.appointments = appointments;
        this.changes = changes;
        this.clock = clock;
        this.settings = settings;
    }

    /** Emits one outcome a change, in their order. May be repeated: what was done then stays as it is. */
    Mono<List<HoldOutcome>> change(List<HoldChange> wanted) {
        Instant now = clock.instant();
        return database.sql(CHANGE)
                .bind(0, wanted.stream().map(HoldChange::holdId).toArray(Long[]::new))
                .bind(1, wanted.stream().map(change -> change.kind().name()).toArray(String[]::new))
                .bind(2, wanted.stream().map(HoldChange::tokenHash).toArray(String[]::new))
                .bind(3, now)
                .bind(4, now.plus(settings.hold()))
                .bind(5, settings.holdCap().toMillis() / 1000.0)
                .map(Decision::from)
                .all()
                .collectList()
                .doOnNext(decisions -> changes.seatsFreed(
                        decisions.stream().map(Decision::slot).filter(Objects::nonNull)))
                .flatMap(decisions -> appointments
                        .findAll(IntStream.range(0, wanted.size())
                                .filter(i -> decisions.get(i).showsTheAppointment())
                                .mapToObj(i -> wanted.get(i).holdId())
                                .toList())
                        .map(known -> IntStream.range(0, wanted.size())
                                .mapToObj(i -> decisions
                                        .get(i)
                                        .outcome(known, wanted.get(i).holdId()))
                                .toList()));
    }

    /** Ends the holds that expired first, {@code most} or a few more, and emits how many that were. */
    Mono<Integer> expire(int most) {
        return database.sql(EXPIRE)
                .bind(0, clock.instant())
                .bind(1, most)
                .map(row -> new Freed(Objects.requireNonNull(row.get(0, Integer.class)), Slot.fromColumns(row, 1)))
                .all()
                .collectList()
                .doOnNext(freed -> changes.seatsFreed(freed.stream().map(Freed::slot)))
                .map(freed -> freed.stream().mapToInt(Freed::seats).sum());
    }

    private record Freed(int seats, Slot slot) {}

    private record Decision(
            String verdict,
            @Nullable Instant expiresAt,
            @Nullable Slot slot) {

        static Decision from(Readable row) {
            return new Decision(
                    Objects.requireNonNull(row.get(0, String.class)),
                    row.get(1, Instant.class),
                    row.get(2, Long.class) == null ? null : Slot.fromColumns(row, 2));
        }

        boolean showsTheAppointment() {
            return switch (verdict) {
                case "EXTENDED", "WAS_EXTENDED", "CONFIRMED", "WAS_CONFIRMED" -> true;
                default -> false;
            };
        }

        HoldOutcome outcome(Map<Long, Appointment> known, long id) {
            return switch (verdict) {
                case "EXTENDED", "WAS_EXTENDED" ->
                    new Extended(Objects.requireNonNull(known.get(id)), Objects.requireNonNull(expiresAt));
                case "CONFIRMED", "WAS_CONFIRMED" -> new Confirmed(Objects.requireNonNull(known.get(id)));
                case "RELEASED", "WAS_RELEASED" -> new Released();
                case "LIMIT" -> new AtItsLimit(Objects.requireNonNull(expiresAt));
                case "EXPIRED" -> new Expired();
                case "FORBIDDEN" -> new WrongToken();
                case "NOT_FOUND" -> new NoSuchHold();
                default -> throw new IllegalStateException("change_holds answered " + verdict);
            };
        }
    }
}
