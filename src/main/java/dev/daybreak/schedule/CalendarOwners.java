package dev.daybreak.schedule;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.security.Owner;
import dev.daybreak.platform.security.Ownership;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/** Looks up which doctor's a schedule, a slot or a closure is; a closure of the whole clinic is nobody's. */
final class CalendarOwners {

    private static final String OF_SCHEDULE = "SELECT doctor_id FROM schedule WHERE id = :id";
    private static final String OF_SLOT = "SELECT doctor_id FROM time_slot WHERE id = :id";
    private static final String OF_CLOSURE = "SELECT doctor_id FROM closure WHERE id = :id";

    private final DatabaseClient database;

    CalendarOwners(DatabaseClient database) {
        this.database = database;
    }

    Ownership schedules() {
        return new Ownership(ProblemCode.SCHEDULE_NOT_FOUND, id -> owner(OF_SCHEDULE, id));
    }

    Ownership slots() {
        return new Ownership(ProblemCode.SLOT_NOT_FOUND, id -> owner(OF_SLOT, id));
    }

    Ownership closures() {
        return new Ownership(ProblemCode.CLOSURE_NOT_FOUND, id -> owner(OF_CLOSURE, id));
    }

    private Mono<Owner> owner(String sql, long id) {
        return database.sql(sql)
                .bind("id", id)
                .map(row -> new Owner(null, row.get("doctor_id", Long.class)))
                .one();
    }
}
