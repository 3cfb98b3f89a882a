package dev.daybreak.booking;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import reactor.core.publisher.Mono;

/** Reads the table {@code appointment} for the clinic's staff: days and holds. */
final class StaffLists {

    // Active appointments are found through the doctors' slots and times, as they have no index by time, which every
    // booking would
    // pay for; ended and filed ones have one.
    private static final String OF_DAY = "SELECT " + Appointments.COLUMNS + """
            FROM (SELECT b.* FROM doctor d
                  CROSS JOIN LATERAL (SELECT t.id FROM time_slot t
                                      WHERE t.doctor_id = d.id AND t.start_at >= :from AND t.start_at < :to OFFSET 0) t
                  CROSS JOIN LATERAL (SELECT * FROM appointment b
                                      WHERE b.slot_id = t.id AND b.status IN ('HELD', 'BOOKED') OFFSET 0) b
                  WHERE CAST(:doctor AS bigint) IS NULL OR d.id = :doctor
                  UNION ALL
                  SELECT b.* FROM doctor d
                  CROSS JOIN LATERAL (SELECT * FROM appointment b
                                      WHERE b.slot_id IS NULL AND b.doctor_id = d.id AND b.status IN ('HELD', 'BOOKED')
                                        AND tstzrange(b.start_at, b.end_at) && tstzrange(:from, :to)
                                        AND b.start_at >= :from OFFSET 0) b
                  WHERE CAST(:doctor AS bigint) IS NULL OR d.id = :doctor
                  UNION ALL
                  SELECT * FROM appointment
                  WHERE status IN ('CANCELLED', 'EXPIRED', 'PAST') AND start_at >= :from AND start_at < :to) a
            LEFT JOIN time_slot s ON s.id = a.slot_id
            WHERE (CAST(:doctor AS bigint) IS NULL OR coalesce(s.doctor_id, a.doctor_id) = :doctor)
              AND (CAST(:status AS text) IS NULL OR :status =\s""" + Appointments.STATUS + """
            )
              AND (CAST(:after AS bigint) IS NULL
                   OR (a.start_at, a.id) > (SELECT l.start_at, l.id FROM appointment l WHERE l.id = :after))
            ORDER BY a.start_at, a.id
            LIMIT :limit
            """;

    private static final String HOLDS = "SELECT " + Appointments.COLUMNS + """
            FROM (SELECT * FROM appointment h
                  WHERE h.status = 'HELD' AND (CAST(:before AS bigint) IS NULL OR h.id < :before)
                  UNION ALL
                  (SELECT * FROM appointment h
                   WHERE h.status = 'EXPIRED' AND (CAST(:before AS bigint) IS NULL OR h.id < :before)
                   ORDER BY h.id DESC
                   LIMIT :limit)) a
            LEFT JOIN time_slot s ON s.id = a.slot_id
            WHERE CAST(:status AS text) IS NULL OR :status =\s""" + Appointments.STATUS + """

            ORDER BY a.id DESC
            LIMIT :limit
            """;

    private final DatabaseClient database;
    private final Clock clock;

    StaffLists(DatabaseClient database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * Which appointments to list; what is null does not matter.
     *
     * @param after the last of the page before
     */
    record Day(
            Instant from,
            Instant to,
            @Nullable Long doctorId,
            @Nullable AppointmentStatus status,
            @Nullable Long after,
            int limit) {}

    /** What begins in the time, by start, ended ones included unless a status is asked for. */
    Mono<List<Appointment>> ofDay(Day day) {
        return database.sql(OF_DAY)
                .bind("now", clock.instant())
                .bind("from", day.from())
                .bind("to", day.to())
                .bind("doctor", optional(day.doctorId(), Long.class))
                .bind("status", optional(name(day.status()), String.class))
                .bind("after", optional(day.after(), Long.class))
                .bind("limit", day.limit())
                .map(Appointments::read)
                .all()
                .collectList();
    }

    /** Holds, running or expired, the newest first. */
    Mono<List<Appointment>> holds(@Nullable AppointmentStatus status, @Nullable Long before, int limit) {
        return database.sql(HOLDS)
                .bind("now", clock.instant())
                .bind("status", optional(name(status), String.class))
                .bind("before", optional(before, Long.class))
                .bind("limit", limit)
                .map(Appointments::read)
                .all()
                .collectList();
    }

    private static @Nullable String name(@Nullable AppointmentStatus status) {
        return status == null ? null : status.name();
    }

    private static <T> Parameter optional(@Nullable T value, Class<T> type) {
        return Parameter.fromOrEmpty(value, type);
    }
}
