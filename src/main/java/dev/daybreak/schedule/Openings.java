package dev.daybreak.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The times at which flexible doctors work, whether or not somebody has them already. */
public final class Openings {

    /** An opening starts when this many seconds since 1970 have passed a whole number of times. */
    public static final int GRID_SECONDS = 15 * 60;

    private final Schedules schedules;
    private final Closures closures;
    private final ClinicSettings clinic;
    private final WallClock clock;

    Openings(Schedules schedules, Closures closures, ClinicSettings clinic) {
        this.schedules = schedules;
        this.closures = closures;
        this.clinic = clinic;
        this.clock = WallClock.of(clinic);
    }

    /** A time of a doctor that somebody may ask for. */
    public record Time(long doctorId, Instant startAt, Instant endAt) {

        public static Time of(long doctorId, Instant startAt, int minutes) {
            return new Time(doctorId, startAt, startAt.plus(Duration.ofMinutes(minutes)));
        }

        public boolean overlaps(Time other) {
            return startAt.isBefore(other.endAt) && other.startAt.isBefore(endAt);
        }
    }

    /**
     * A time at which the doctor works.
     *
     * @param scheduleId the schedule that says so, in the revision that says so
     * @param opensAt from when it can be booked
     */
    public record Opening(Time time, long scheduleId, int revision, Instant opensAt) {}

    /** Emits, for each of the times, the opening it is, or null in its place; closures are not looked at. */
    public Mono<List<@Nullable Opening>> find(List<Time> times) {
        List<Long> doctors = times.stream().map(Time::doctorId).distinct().toList();
        return schedules.flexible(doctors).map(found -> {
            Map<Long, List<Schedule>> byDoctor = found.stream().collect(Collectors.groupingBy(Schedule::doctorId));
            var openings = new ArrayList<@Nullable Opening>();
            for (Time time : times) {
                openings.add(opening(time, byDoctor.getOrDefault(time.doctorId(), List.of())));
            }
            return openings;
        });
    }

    /** Emits the openings of so many minutes in the time from {@code from} to before {@code to}, by start, without closures. */
    public Mono<List<Opening>> between(long doctorId, Instant from, Instant to, int minutes) {
        return schedules
                .flexible(List.of(doctorId))
                .flatMap(found -> closures.list(doctorId, from, to.plus(Duration.ofDays(1)))
                        .map(closed -> starts(from, to)
                                .map(start -> opening(Time.of(doctorId, start, minutes), found))
                                .filter(Objects::nonNull)
                                .filter(opening ->
                                        closed.stream().noneMatch(closure -> covers(closure, opening.time())))
                                .toList()));
    }

    private static Stream<Instant> starts(Instant from, Instant to) {
        long first = Math.ceilDiv(from.getEpochSecond(), GRID_SECONDS);
        return Stream.iterate(
                Instant.ofEpochSecond(first * GRID_SECONDS),
                start -> start.isBefore(to),
                start -> start.plusSeconds(GRID_SECONDS));
    }

    private @Nullable Opening opening(Time time, List<Schedule> ofDoctor) {
        LocalDate day = clinic.dayOf(time.startAt());
        for (Schedule schedule : ofDoctor) {
            if (isWorkingTime(schedule.timetable(), day, time)) {
                return new Opening(time, schedule.id(), schedule.revision(), clinic.opensAt(day));
            }
        }
        return null;
    }

    /** Whether one of the timetables has working hours for all of the time. */
    boolean isWorkingTime(List<Timetable> timetables, Time time) {
        LocalDate day = clinic.dayOf(time.startAt());
        return timetables.stream().anyMatch(timetable -> isWorkingTime(timetable, day, time));
    }

    private boolean isWorkingTime(Timetable timetable, LocalDate day, Time time) {
        return timetable.days(day, day).findAny().isPresent()
                && timetable.hours().pieces().stream()
                        .anyMatch(piece -> clock.liesWithin(piece, day, time.startAt(), time.endAt()));
    }

    private static boolean covers(Closure closure, Time time) {
        return time.startAt().isBefore(closure.range().to())
                && time.endAt().isAfter(closure.range().from());
    }
}
