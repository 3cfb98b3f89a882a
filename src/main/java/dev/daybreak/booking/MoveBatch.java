package dev.daybreak.booking;

import static dev.daybreak.platform.sql.Columns.required;

import dev.daybreak.booking.MoveOutcome.AlreadyBooked;
import dev.daybreak.booking.MoveOutcome.AppointmentNotFound;
import dev.daybreak.booking.MoveOutcome.Moved;
import dev.daybreak.booking.MoveOutcome.NotBooked;
import dev.daybreak.booking.MoveOutcome.Outdated;
import dev.daybreak.booking.MoveOutcome.PatientOverlap;
import dev.daybreak.booking.MoveOutcome.SlotClosed;
import dev.daybreak.booking.MoveOutcome.SlotFull;
import dev.daybreak.booking.MoveOutcome.SlotNotFound;
import dev.daybreak.booking.MoveOutcome.SlotNotOpen;
import dev.daybreak.booking.MoveOutcome.SlotPast;
import dev.daybreak.booking.MoveOutcome.TooLate;
import dev.daybreak.booking.MoveOutcome.Unchanged;
import dev.daybreak.schedule.Slot;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import reactor.core.publisher.Mono;

/** Moves a batch of appointments by the function {@code move_batch}: one statement, one transaction. */
final class MoveBatch {

    private static final String MOVE = """
            SELECT ord, outcome, from_slot_id, status, slot_id, doctor_id, start_at, end_at, capacity, booked_count, opens_at,
                   closed, version
            FROM move_batch($1, $2, $3, $4, $5, $6)
            """;

    private static final String REVISIONS = "SELECT id, revision FROM appointment WHERE id = ANY ($1) LIMIT 1024";

    private static final int SLOT = 4;
    private static final int START = 6;

    private final DatabaseClient database;
    private final Appointments appointments;
    private final SlotChanges changes;
    private final Clock clock;
    private final @Nullable Duration latest;

    /** @param latest how long before its start an appointment can be moved for the last time; null: at any time */
    MoveBatch(
            DatabaseClient database,
            Appointments appointments,
            SlotChanges changes,
            Clock clock,
            @Nullable Duration latest) {
        this.database = database;
        this.appointments = appointments;
        this.changes = changes;
        this.clock = clock;
        this.latest = latest;
    }

    /** A wish that waits for its batch. */
    record Waiting(Move move, Arrival arrival) {

        long appointmentId() {
            return move.appointmentId();
        }
    }

    /**
     * Emits one outcome a move, in their order. May be repeated: what was moved then has its slot already.
     *
     * <p>An appointment is moved as it was within a second after the {@link Arrival} of the wish, so that nobody is moved back by what was left
     * lying here or on the way to the database.
     */
    Mono<List<MoveOutcome>> move(List<Waiting> wishes) {
        return revisions(wishes).flatMap(revisions -> {
            List<MoveOutcome> outcomes = new ArrayList<>(Collections.nCopies(wishes.size(), new Outdated()));
            List<Integer> inTime = IntStream.range(0, wishes.size())
                    .filter(i -> wishes.get(i).arrival().isRecent())
                    .boxed()
                    .toList();
            return inTime.isEmpty()
                    ? Mono.just(outcomes)
                    : decide(inTime.stream().map(i -> wishes.get(i).move()).toList(), revisions)
                            .doOnNext(decided -> fill(outcomes, inTime, decided))
                            .flatMap(decided -> decideChanged(wishes, outcomes, inTime));
        });
    }

    /** Those whose appointment was changed between the two looks at it are looked at anew, as long as they are in time. */
    private Mono<List<MoveOutcome>> decideChanged(
            List<Waiting> wishes, List<MoveOutcome> outcomes, List<Integer> decided) {
        List<Integer> changed = decided.stream()
                .filter(i -> outcomes.get(i) instanceof Outdated)
                .toList();
        return changed.isEmpty()
                ? Mono.just(outcomes)
                : move(changed.stream().map(wishes::get).toList())
                        .doOnNext(later -> fill(outcomes, changed, later))
                        .thenReturn(outcomes);
    }

    private static void fill(List<MoveOutcome> outcomes, List<Integer> places, List<MoveOutcome> some) {
        for (int i = 0; i < places.size(); i++) {
            outcomes.set(places.get(i), some.get(i));
        }
    }

    private Mono<List<MoveOutcome>> decide(List<Move> moves, Map<Long, Integer> revisions) {
        Instant now = clock.instant();
        return database.sql(MOVE)
                .bind(0, moves.stream().map(Move::appointmentId).toArray(Long[]::new))
                .bind(1, moves.stream().map(Move::slotId).toArray(Long[]::new))
                .bind(2, moves.stream().map(Move::actor).toArray(String[]::new))
                .bind(3, now)
                .bind(4, Parameter.fromOrEmpty(latest == null ? null : now.plus(latest), Instant.class))
                .bind(
                        5,
                        moves.stream()
                                .map(move -> revisions.getOrDefault(move.appointmentId(), 0))
                                .toArray(Integer[]::new))
                .map(Row::from)
                .all()
                .collectList()
                .map(rows -> Decided.of(moves, rows))
                .doOnNext(this::announce)
                .flatMap(decided -> appointments.findAll(decided.answered()).map(known -> outcomes(decided, known)));
    }

    private Mono<Map<Long, Integer>> revisions(List<Waiting> wishes) {
        return database.sql(REVISIONS)
                .bind(0, wishes.stream().map(Waiting::appointmentId).toArray(Long[]::new))
                .map(row -> Map.entry(required(row, "id", Long.class), required(row, "revision", Integer.class)))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private void announce(Decided decided) {
        Set<Slot> left = new HashSet<>(decided.expired());
        Set<Slot> taken = new HashSet<>();
        for (int i = 0; i < decided.moves().size(); i++) {
            Row row = decided.rows()[i];
            if (row.is("MOVED")) {
                left.add(decided.slot(Objects.requireNonNull(row.fromSlotId())));
                taken.add(decided.slot(decided.moves().get(i).slotId()));
            }
        }
        taken.removeAll(left);
        changes.seatsTaken(taken.stream());
        changes.seatsFreed(left.stream());
    }

    private List<MoveOutcome> outcomes(Decided decided, Map<Long, Appointment> known) {
        return IntStream.range(0, decided.rows().length)
                .mapToObj(i -> outcome(decided, decided.moves().get(i), decided.rows()[i], known))
                .toList();
    }

    private MoveOutcome outcome(Decided decided, Move move, Row row, Map<Long, Appointment> known) {
        return switch (row.verdict()) {
            case "MOVED" -> new Moved(Objects.requireNonNull(known.get(move.appointmentId())));
            case "UNCHANGED" -> new Unchanged(Objects.requireNonNull(known.get(move.appointmentId())));
            case "APPOINTMENT_NOT_FOUND" -> new AppointmentNotFound();
            case "APPOINTMENT_NOT_BOOKED" -> new NotBooked(AppointmentStatus.valueOf(row.status()));
            case "TOO_LATE" ->
                new TooLate(latest == null ? row.startAt() : row.startAt().minus(latest));
            case "SLOT_FULL" -> new SlotFull(decided.slot(move.slotId()).remaining());
            case "ALREADY_BOOKED" -> new AlreadyBooked();
            case "PATIENT_OVERLAP" -> new PatientOverlap();
            case "SLOT_NOT_OPEN" -> new SlotNotOpen(decided.slot(move.slotId()).opensAt());
            case "SLOT_PAST" -> new SlotPast();
            case "SLOT_CLOSED" -> new SlotClosed();
            case "SLOT_NOT_FOUND" -> new SlotNotFound();
            case "CHANGED" -> new Outdated();
            default -> throw new IllegalStateException("move_batch answered " + row.verdict());
        };
    }

    /**
     * A row of the function's answer: what became of the request at the place {@code ord}, from 1, or a slot as it is
     * afterwards.
     */
    private record Row(
            @Nullable Integer ord,
            String verdict,
            @Nullable Long fromSlotId,
            String status,
            Instant startAt,
            @Nullable Slot slot) {

        static Row from(Readable row) {
            Integer ord = row.get(0, Integer.class);
            return new Row(
                    ord,
                    orElse(row.get(1, String.class), ""),
                    row.get(2, Long.class),
                    orElse(row.get(3, String.class), ""),
                    orElse(row.get(START, Instant.class), Instant.EPOCH),
                    ord == null ? Slot.fromColumns(row, SLOT) : null);
        }

        boolean is(String other) {
            return verdict.equals(other);
        }

        private static <T> T orElse(@Nullable T value, T absent) {
            return value == null ? absent : value;
        }
    }

    /**
     * @param rows by place of the move
     * @param expired slots in which a hold was found to be over
     */
    private record Decided(List<Move> moves, Row[] rows, Map<Long, Slot> slots, List<Slot> expired) {

        static Decided of(List<Move> moves, List<Row> answer) {
            var rows = new Row[moves.size()];
            Map<Long, Slot> slots = HashMap.newHashMap(answer.size());
            List<Slot> expired = new ArrayList<>();
            for (Row row : answer) {
                if (row.ord() != null) {
                    rows[row.ord() - 1] = row;
                } else if (row.slot() != null) {
                    slots.put(row.slot().id(), row.slot());
                    if (row.is("EXPIRED")) {
                        expired.add(row.slot());
                    }
                }
            }
            return new Decided(moves, rows, slots, expired);
        }

        /** The appointments that are shown in the answers. */
        List<Long> answered() {
            return IntStream.range(0, rows.length)
                    .filter(i -> rows[i].is("MOVED") || rows[i].is("UNCHANGED"))
                    .mapToObj(i -> moves.get(i).appointmentId())
                    .toList();
        }

        Slot slot(long id) {
            return Objects.requireNonNull(slots.get(id));
        }
    }
}
