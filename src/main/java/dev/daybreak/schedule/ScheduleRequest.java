package dev.daybreak.schedule;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.web.Input;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Working hours as the client writes them, for the description of the API; they are read as a {@link Timetable}.
 *
 * @param slotMinutes and {@code capacity} are needed, unless the mode is FLEXIBLE, which has neither
 */
record ScheduleRequest(
        LocalDate fromDate,
        @Nullable LocalDate toDate,
        Set<DayOfWeek> weekdays,
        String startTime,
        String endTime,
        @Nullable Integer slotMinutes,
        @Nullable Integer capacity,
        @Nullable List<Break> breaks,
        @Nullable ScheduleMode mode,
        @Nullable Boolean dryRun) {

    static final int MAX_CAPACITY = 10_000;

    private static final int MAX_DAYS = 366;
    private static final int MINUTES_OF_DAY = 24 * 60;
    private static final int SHORTEST_OPENING = 15;
    private static final LocalDate EARLIEST = LocalDate.of(2000, 1, 1);
    private static final LocalDate LATEST = LocalDate.of(2999, 12, 31);

    /** After everything there can be. */
    static final Instant END_OF_TIME = Instant.parse("3001-01-01T00:00:00Z");

    /** Reads all but {@code dryRun}; the caller completes the input. */
    static Timetable read(Input input) {
        ScheduleMode mode = input.choice("mode", ScheduleMode.class, ScheduleMode.FIXED);
        LocalDate from = input.date("fromDate");
        LocalDate to = input.optionalDate("toDate");
        checkDates(input, from, to);
        return new Timetable(from, to, input.weekdays("weekdays"), hours(input, mode));
    }

    private static void checkDates(Input input, LocalDate from, @Nullable LocalDate to) {
        if (!input.isSound("fromDate", "toDate")) {
            return;
        }
        checkYear(input, "fromDate", from);
        if (to != null) {
            checkYear(input, "toDate", to);
            input.check(!to.isBefore(from), "toDate", "date-order", from);
            input.check(ChronoUnit.DAYS.between(from, to) < MAX_DAYS, "toDate", "period", MAX_DAYS);
        }
    }

    private static void checkYear(Input input, String field, LocalDate date) {
        input.check(!date.isBefore(EARLIEST) && !date.isAfter(LATEST), field, "range", EARLIEST, LATEST);
    }

    /** Reads {@code startTime} and {@code endTime}. */
    static MinuteRange range(Input input) {
        var hours = new MinuteRange(input.minuteOfDay("startTime"), input.minuteOfDay("endTime"));
        if (input.isSound("startTime", "endTime")) {
            input.check(hours.length() > 0, "endTime", "after", hours.startTime());
        }
        return hours;
    }

    /** What breaks must lie in: the hours, unless those are wrong themselves. */
    static MinuteRange around(Input input, MinuteRange hours) {
        return input.isSound("startTime", "endTime") ? hours : new MinuteRange(0, MINUTES_OF_DAY);
    }

    /** Throws a refusal unless the days are in order and not too many. */
    static void requireOrder(LocalDate from, @Nullable LocalDate to) {
        if (to != null && to.isBefore(from)) {
            throw new Refusal(Problem.invalid("toDate", "date-order", from));
        }
        if (to != null && ChronoUnit.DAYS.between(from, to) >= MAX_DAYS) {
            throw new Refusal(Problem.invalid("toDate", "period", MAX_DAYS));
        }
    }

    private static WorkingHours hours(Input input, ScheduleMode mode) {
        MinuteRange hours = range(input);
        MinuteRange around = around(input, hours);
        boolean sound = input.isSound("startTime", "endTime");
        if (mode == ScheduleMode.FLEXIBLE) {
            input.check(
                    !sound || hours.length() >= SHORTEST_OPENING, "endTime", "minutes-after-start", SHORTEST_OPENING);
            return WorkingHours.flexible(hours, Break.read(input, around));
        }
        var working = new WorkingHours(
                hours,
                input.integer("slotMinutes", 1, MINUTES_OF_DAY),
                input.integer("capacity", 1, MAX_CAPACITY),
                Break.read(input, around));
        if (sound && input.isSound("slotMinutes")) {
            int longest = working.pieces().stream()
                    .mapToInt(MinuteRange::length)
                    .max()
                    .orElse(0);
            input.check(working.slotMinutes() <= longest, "slotMinutes", "fitting", longest);
        }
        return working;
    }
}
