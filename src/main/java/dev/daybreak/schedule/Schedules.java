package dev.daybreak.schedule;

import static dev.daybreak.platform.sql.Columns.required;

import io.r2dbc.spi.Readable;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import reactor.core.publisher.Mono;

/** The published timetables. */
class Schedules {

    private static final String COLUMNS = """
            s.id, s.doctor_id, s.from_date, s.to_date, s.filled_until, s.weekdays, s.start_minute, s.end_minute,
            s.slot_minutes, s.capacity, s.break_starts, s.break_ends, s.revision
            """;

    private static final String LIST = "SELECT " + COLUMNS + """
            FROM schedule s
            WHERE s.doctor_id = :doctor
            ORDER BY s.from_date, s.start_minute, s.id
            LIMIT 1000""";

    // No limit: an overlap that is not looked at is an overlap that gets in.
    private static final String MEETING = "SELECT " + COLUMNS + """
            FROM schedule s
            WHERE s.doctor_id = :doctor
              AND (s.to_date IS NULL OR s.to_date >= :from)
              AND (:to::date IS NULL OR s.from_date <= :to)
            ORDER BY s.id""";

    private static final String FLEXIBLE = "SELECT " + COLUMNS + """
            FROM schedule s
            WHERE s.doctor_id = ANY (:doctors) AND s.slot_minutes = 0
            ORDER BY s.id""";

    private static final String FIND = "SELECT " + COLUMNS + "FROM schedule s WHERE s.id = :id";

    private static final String LOCK = FIND + " FOR NO KEY UPDATE";

    private static final String CHANGE = """
            UPDATE schedule
            SET to_date = :to, filled_until = :filled, weekdays = :weekdays, start_minute = :start, end_minute = :end,
                break_starts = :breakStarts, break_ends = :breakEnds, revision = revision + 1
            WHERE id = :id""";

    private static final String DELETE = "DELETE FROM schedule WHERE id = :id";

    private static final String INSERT = """
            INSERT INTO schedule (doctor_id, from_date, to_date, filled_until, weekdays, start_minute, end_minute,
                slot_minutes, capacity, break_starts, break_ends)
            VALUES (:doctor, :from, :to, :filled, :weekdays, :start, :end, :minutes, :capacity, :breakStarts, :breakEnds)
            ON CONFLICT ON CONSTRAINT uq_schedule DO NOTHING
            RETURNING id""";

    // Two instances share the work: what one is filling, the other passes over.
    private static final String CLAIM = "SELECT " + COLUMNS + """
            FROM schedule s
            WHERE s.to_date IS NULL AND s.filled_until < :horizon
            ORDER BY s.doctor_id, s.id
            LIMIT :limit
            FOR NO KEY UPDATE SKIP LOCKED""";

    private static final String FILLED = """
            UPDATE schedule SET filled_until = :until WHERE id = ANY (:ids)""";

    private final DatabaseClient database;

    Schedules(DatabaseClient database) {
        this.database = database;
    }

    Mono<List<Schedule>> of(long doctorId) {
        return database.sql(LIST)
                .bind("doctor", doctorId)
                .map(Schedules::schedule)
                .all()
                .collectList();
    }

    /** The schedules of the doctor that have days in common with the range. */
    Mono<List<Schedule>> meeting(long doctorId, LocalDate from, @Nullable LocalDate to) {
        return database.sql(MEETING)
                .bind("doctor", doctorId)
                .bind("from", from)
                .bind("to", Parameter.fromOrEmpty(to, LocalDate.class))
                .map(Schedules::schedule)
                .all()
                .collectList();
    }

    /** The schedules of these doctors that make no slots. */
    Mono<List<Schedule>> flexible(List<Long> doctors) {
        return database.sql(FLEXIBLE)
                .bind("doctors", doctors.toArray(Long[]::new))
                .map(Schedules::schedule)
                .all()
                .collectList();
    }

    Mono<Schedule> find(long id) {
        return database.sql(FIND).bind("id", id).map(Schedules::schedule).one();
    }

    /** As {@link #find}, and keeps everybody else from changing or filling it until the transaction ends. */
    Mono<Schedule> lock(long id) {
        return database.sql(LOCK).bind("id", id).map(Schedules::schedule).one();
    }

    /** Gives the schedule other days and hours; length and capacity of its slots stay. */
    Mono<Long> change(long id, Timetable timetable, LocalDate filledUntil) {
        WorkingHours hours = timetable.hours();
        LocalDate filled = timetable.isStanding() ? filledUntil : null;
        return database.sql(CHANGE)
                .bind("id", id)
                .bind("to", Parameter.fromOrEmpty(timetable.toDate(), LocalDate.class))
                .bind("filled", Parameter.fromOrEmpty(filled, LocalDate.class))
                .bind("weekdays", numbers(timetable.weekdays()))
                .bind("start", hours.hours().start())
                .bind("end", hours.hours().end())
                .bind("breakStarts", minutes(hours, MinuteRange::start))
                .bind("breakEnds", minutes(hours, MinuteRange::end))
                .fetch()
                .rowsUpdated();
    }

    Mono<Long> remove(long id) {
        return database.sql(DELETE).bind("id", id).fetch().rowsUpdated();
    }

    /** Keeps the timetable and emits the schedule's id, or nothing if the very same is kept already. */
    Mono<Long> keep(long doctorId, Timetable timetable, LocalDate filledUntil) {
        WorkingHours hours = timetable.hours();
        LocalDate filled = timetable.isStanding() ? filledUntil : null;
        return database.sql(INSERT)
                .bind("doctor", doctorId)
                .bind("from", timetable.fromDate())
                .bind("to", Parameter.fromOrEmpty(timetable.toDate(), LocalDate.class))
                .bind("filled", Parameter.fromOrEmpty(filled, LocalDate.class))
                .bind("weekdays", numbers(timetable.weekdays()))
                .bind("start", hours.hours().start())
                .bind("end", hours.hours().end())
                .bind("minutes", hours.slotMinutes())
                .bind("capacity", hours.capacity())
                .bind("breakStarts", minutes(hours, MinuteRange::start))
                .bind("breakEnds", minutes(hours, MinuteRange::end))
                .mapValue(Long.class)
                .one();
    }

    /** Locks standing schedules that lack slots before or on the horizon, passing over those another instance locks. */
    Mono<List<Schedule>> claimUnfilled(LocalDate horizon, int limit) {
        return database.sql(CLAIM)
                .bind("horizon", horizon)
                .bind("limit", limit)
                .map(Schedules::schedule)
                .all()
                .collectList();
    }

    Mono<Long> markFilled(List<Schedule> schedules, LocalDate until) {
        return database.sql(FILLED)
                .bind("until", until)
                .bind("ids", schedules.stream().map(Schedule::id).toArray(Long[]::new))
                .fetch()
                .rowsUpdated();
    }

    private static Integer[] numbers(Set<DayOfWeek> weekdays) {
        return weekdays.stream().map(DayOfWeek::getValue).sorted().toArray(Integer[]::new);
    }

    private static Integer[] minutes(WorkingHours hours, ToIntFunction<MinuteRange> end) {
        return hours.breaks().stream().mapToInt(end).boxed().toArray(Integer[]::new);
    }

    private static Schedule schedule(Readable row) {
        var timetable = new Timetable(
                required(row, "from_date", LocalDate.class),
                row.get("to_date", LocalDate.class),
                weekdays(required(row, "weekdays", Integer[].class)),
                hours(row));
        return new Schedule(
                required(row, "id", Long.class),
                required(row, "doctor_id", Long.class),
                timetable,
                row.get("filled_until", LocalDate.class),
                required(row, "revision", Integer.class));
    }

    private static Set<DayOfWeek> weekdays(Integer[] numbers) {
        return Arrays.stream(numbers)
                .map(DayOfWeek::of)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(DayOfWeek.class)));
    }

    private static WorkingHours hours(Readable row) {
        Integer[] starts = required(row, "break_starts", Integer[].class);
        Integer[] ends = required(row, "break_ends", Integer[].class);
        return new WorkingHours(
                new MinuteRange(
                        required(row, "start_minute", Integer.class), required(row, "end_minute", Integer.class)),
                required(row, "slot_minutes", Integer.class),
                required(row, "capacity", Integer.class),
                IntStream.range(0, starts.length)
                        .mapToObj(i -> new MinuteRange(starts[i], ends[i]))
                        .toList());
    }
}
