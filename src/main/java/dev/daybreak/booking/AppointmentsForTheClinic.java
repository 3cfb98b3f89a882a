package dev.daybreak.booking;

import static dev.daybreak.platform.sql.Columns.required;

import dev.daybreak.schedule.AppointmentsInTheWay;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import reactor.core.publisher.Mono;

/** Answers the calendar about the appointments that are in its way, and ends them, by the function {@code end_appointments}. */
final class AppointmentsForTheClinic implements AppointmentsInTheWay {

    private static final String ACTOR = "clinic";

    private static final String IN_TIME =
            "SELECT a.id, a.slot_id, a.start_at, a.end_at, a.patient_id, " + Appointments.STATUS + " AS status" + """

            FROM (SELECT * FROM appointment WHERE slot_id = ANY (:slots) AND status IN ('HELD', 'BOOKED')
                  UNION ALL
                  SELECT * FROM appointment
                  WHERE slot_id IS NULL AND doctor_id = ANY (:doctors) AND status IN ('HELD', 'BOOKED')
                    AND tstzrange(start_at, end_at) && tstzrange(:from, :to) AND start_at > :now) a
            ORDER BY a.start_at, a.id""";

    private static final String END = "SELECT end_appointments(:ids, :actor, :reason, :now)";

    private final DatabaseClient database;

    AppointmentsForTheClinic(DatabaseClient database) {
        this.database = database;
    }

    @Override
    public Mono<List<InTheWay>> inTime(
            List<Long> slotIds, List<Long> doctorIds, Instant from, Instant to, Instant now) {
        return database.sql(IN_TIME)
                .bind("slots", slotIds.toArray(Long[]::new))
                .bind("doctors", doctorIds.toArray(Long[]::new))
                .bind("from", from)
                .bind("to", to)
                .bind("now", now)
                .map(AppointmentsForTheClinic::inTheWay)
                .all()
                .collectList();
    }

    @Override
    public Mono<Long> end(List<Long> appointmentIds, @Nullable String reason, Instant now) {
        return database.sql(END)
                .bind("ids", appointmentIds.toArray(Long[]::new))
                .bind("actor", ACTOR)
                .bind("reason", Parameter.fromOrEmpty(reason, String.class))
                .bind("now", now)
                .mapValue(Long.class)
                .one();
    }

    private static InTheWay inTheWay(Readable row) {
        return new InTheWay(
                required(row, "id", Long.class),
                row.get("slot_id", Long.class),
                required(row, "start_at", Instant.class),
                required(row, "end_at", Instant.class),
                required(row, "patient_id", Long.class),
                required(row, "status", String.class));
    }
}
