package dev.daybreak.notification;

import static dev.daybreak.platform.sql.Columns.required;

import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.util.Collection;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import reactor.core.publisher.Mono;

/** The table {@code patient_contact}. */
final class Contacts {

    private static final String FIND_ALL = """
            SELECT c.patient_id, c.email, c.phone, c.language, c.sms_consent
            FROM patient_contact c WHERE c.patient_id = ANY (:patients)
            LIMIT 1024""";

    private static final String PUT = """
            INSERT INTO patient_contact (patient_id, email, phone, language, sms_consent, updated_at)
            VALUES (:patient, :email, :phone, :language, :consent, :now)
            ON CONFLICT (patient_id) DO UPDATE
            SET email = excluded.email, phone = excluded.phone, language = excluded.language, sms_consent = excluded.sms_consent,
                updated_at = excluded.updated_at""";

    private static final String REMOVE = "DELETE FROM patient_contact WHERE patient_id = :patient";

    private final DatabaseClient database;
    private final Clock clock;

    Contacts(DatabaseClient database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Emits the contact data of those patients who have left some, 1,024 of them at most. */
    Mono<Map<Long, Contact>> findAll(Collection<Long> patientIds) {
        return database.sql(FIND_ALL)
                .bind("patients", patientIds.toArray(Long[]::new))
                .map(row -> Map.entry(required(row, "patient_id", Long.class), contact(row)))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    Mono<Void> put(long patientId, Contact contact) {
        return database.sql(PUT)
                .bind("patient", patientId)
                .bind("email", Parameter.fromOrEmpty(contact.email(), String.class))
                .bind("phone", Parameter.fromOrEmpty(contact.phone(), String.class))
                .bind("language", contact.language().code())
                .bind("consent", contact.smsConsent())
                .bind("now", clock.instant())
                .then();
    }

    Mono<Void> remove(long patientId) {
        return database.sql(REMOVE).bind("patient", patientId).then();
    }

    private static Contact contact(Readable row) {
        return new Contact(
                row.get("email", String.class),
                row.get("phone", String.class),
                Language.of(required(row, "language", String.class)),
                required(row, "sms_consent", Boolean.class));
    }
}
