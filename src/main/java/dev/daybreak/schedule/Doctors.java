package dev.daybreak.schedule;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import reactor.core.publisher.Mono;

/** The doctors of the clinic. */
public class Doctors {

    private static final String COLUMNS = """
            d.id, d.name, d.specialty,
            EXISTS (SELECT FROM schedule s WHERE s.doctor_id = d.id AND s.slot_minutes = 0) AS flexible""";

    private static final String FIND = "SELECT " + COLUMNS + " FROM doctor d WHERE d.id = :id";

    private static final String LOCK = FIND + " FOR NO KEY UPDATE OF d";

    private static final String IDS = "SELECT d.id FROM doctor d";

    private static final String SOME = "SELECT d.id FROM doctor d ORDER BY d.id LIMIT :limit";

    private static final String LOCK_FLEXIBLE = """
            SELECT d.id FROM doctor d
            WHERE d.id = ANY (ARRAY(SELECT s.doctor_id FROM schedule s WHERE s.slot_minutes = 0))
            ORDER BY d.id
            FOR NO KEY UPDATE""";

    private static final String ANY = """
            SELECT EXISTS (SELECT FROM doctor)""";

    private static final String LIST = "SELECT " + COLUMNS + """

            FROM doctor d
            WHERE (:specialty::text IS NULL OR lower(d.specialty) = lower(:specialty))
              AND (:name::text IS NULL OR strpos(lower(d.name), lower(:name)) > 0)
              AND (:after::bigint IS NULL OR (d.name, d.id) > (SELECT a.name, a.id FROM doctor a WHERE a.id = :after))
            ORDER BY d.name, d.id
            LIMIT :limit""";

    private static final String INSERT = """
            INSERT INTO doctor (name, specialty) VALUES (:name, :specialty)
            RETURNING id, name, specialty, false AS flexible""";

    private static final String SPECIALTIES = """
            SELECT min(d.specialty) AS name, count(*)::integer AS doctors
            FROM doctor d
            GROUP BY lower(d.specialty)
            ORDER BY lower(d.specialty)
            LIMIT 1000""";

    private final DatabaseClient database;

    Doctors(DatabaseClient database) {
        this.database = database;
    }

    /** Emits the doctor, or nothing if there is none. */
    public Mono<Doctor> find(long id) {
        return database.sql(FIND).bind("id", id).map(Doctors::doctor).one();
    }

    /** Emits the ids of some doctors, those longest there. */
    public Mono<List<Long>> some(int limit) {
        return database.sql(SOME)
                .bind("limit", limit)
                .mapValue(Long.class)
                .all()
                .collectList();
    }

    public Mono<Boolean> exists(long id) {
        return find(id).hasElement();
    }

    /**
     * Emits what was found of a doctor's. If that is nothing, asks whether the doctor exists, and errors with a
     * {@link Refusal} (DOCTOR_NOT_FOUND) if not.
     */
    public <T> Mono<List<T>> requireKnown(long id, List<T> found) {
        if (!found.isEmpty()) {
            return Mono.just(found);
        }
        return exists(id)
                .flatMap(exists -> exists ? Mono.just(found) : Mono.error(new Refusal(ProblemCode.DOCTOR_NOT_FOUND)));
    }

    /** As {@link #find}, and keeps other publications and bookings of openings of the doctor waiting until the transaction ends. */
    Mono<Doctor> lock(long id) {
        return database.sql(LOCK).bind("id", id).map(Doctors::doctor).one();
    }

    /** Emits the ids of all doctors, of whom the flexible ones take no bookings until the transaction ends. */
    Mono<List<Long>> idsWithFlexibleLocked() {
        return database.sql(LOCK_FLEXIBLE)
                .then()
                .then(database.sql(IDS).mapValue(Long.class).all().collectList());
    }

    Mono<Boolean> any() {
        return database.sql(ANY).mapValue(Boolean.class).one();
    }

    Mono<Doctor> add(String name, String specialty) {
        return database.sql(INSERT)
                .bind("name", name)
                .bind("specialty", specialty)
                .map(Doctors::doctor)
                .one();
    }

    Mono<List<Doctor>> list(DoctorQuery query) {
        return database.sql(LIST)
                .bind("specialty", optional(query.specialty(), String.class))
                .bind("name", optional(query.name(), String.class))
                .bind("after", optional(query.after(), Long.class))
                .bind("limit", query.limit())
                .map(Doctors::doctor)
                .all()
                .collectList();
    }

    Mono<List<Specialty>> specialties() {
        return database.sql(SPECIALTIES)
                .map(row -> new Specialty(
                        Objects.requireNonNull(row.get("name", String.class)),
                        Objects.requireNonNull(row.get("doctors", Integer.class))))
                .all()
                .collectList();
    }

    private static <T> Parameter optional(@Nullable T value, Class<T> type) {
        return Parameter.fromOrEmpty(value, type);
    }

    private static Doctor doctor(Readable row) {
        return new Doctor(
                Objects.requireNonNull(row.get("id", Long.class)),
                Objects.requireNonNull(row.get("name", String.class)),
                Objects.requireNonNull(row.get("specialty", String.class)),
                Objects.requireNonNull(row.get("flexible", Boolean.class)));
    }
}
