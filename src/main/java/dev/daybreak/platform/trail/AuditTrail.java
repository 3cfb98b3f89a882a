package dev.daybreak.platform.trail;

import static dev.daybreak.platform.sql.Columns.required;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.daybreak.platform.security.Actor;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Readable;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes and reads the audit trail. */
public final class AuditTrail {

    private static final String INSERT = """
            INSERT INTO audit_entry (at, actor, address, action, subject_type, subject_id, before, after, reason)
            VALUES (:at, :actor, :address, :action, :type, :subject, CAST(:before AS jsonb), CAST(:after AS jsonb), :reason)""";

    private static final String FIND = """
            SELECT e.id, e.at, e.actor, e.address, e.action, e.subject_type, e.subject_id, CAST(e.before AS text) AS before,
                   CAST(e.after AS text) AS after, e.reason
            FROM audit_entry e
            WHERE (:actor::text IS NULL OR e.actor = :actor)
              AND (:type::text IS NULL OR e.subject_type = :type)
              AND (:subject::bigint IS NULL OR e.subject_id = :subject)
              AND (:from::timestamptz IS NULL OR e.at >= :from)
              AND (:to::timestamptz IS NULL OR e.at < :to)
              AND (:before::bigint IS NULL OR e.id < :before)
            ORDER BY e.id DESC
            LIMIT :limit""";

    // Not the application's mapper: what is stored must not depend on settings made for answers.
    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    private final DatabaseClient database;
    private final Clock clock;

    AuditTrail(DatabaseClient database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Writes an entry in the transaction of the caller, which is the one that changes what the entry tells of. */
    public Mono<Void> record(Actor actor, Deed deed) {
        String address = actor.address();
        return database.sql(INSERT)
                .bind("at", clock.instant())
                .bind("actor", actor.name())
                .bind("address", optional(address.isEmpty() ? null : address, String.class))
                .bind("action", deed.action())
                .bind("type", deed.subjectType())
                .bind("subject", optional(deed.subjectId(), Long.class))
                .bind("before", optional(json(deed.before()), String.class))
                .bind("after", optional(json(deed.after()), String.class))
                .bind("reason", optional(deed.reason(), String.class))
                .then();
    }

    /** The newest first. */
    public Mono<List<AuditEntry>> find(AuditQuery query) {
        return database.sql(FIND)
                .bind("actor", optional(query.actor(), String.class))
                .bind("type", optional(query.subjectType(), String.class))
                .bind("subject", optional(query.subjectId(), Long.class))
                .bind("from", optional(query.from()))
                .bind("to", optional(query.to()))
                .bind("before", optional(query.before(), Long.class))
                .bind("limit", query.limit())
                .map(AuditTrail::entry)
                .all()
                .collectList();
    }

    private static AuditEntry entry(Readable row) {
        String type = required(row, "subject_type", String.class);
        Long subject = row.get("subject_id", Long.class);
        return new AuditEntry(
                required(row, "id", Long.class),
                required(row, "at", Instant.class),
                required(row, "actor", String.class),
                row.get("address", String.class),
                required(row, "action", String.class),
                subject == null ? type : type + ":" + subject,
                node(row.get("before", String.class)),
                node(row.get("after", String.class)),
                row.get("reason", String.class));
    }

    private static @Nullable String json(@Nullable Object state) {
        return state == null ? null : JSON.writeValueAsString(state);
    }

    private static @Nullable JsonNode node(@Nullable String json) {
        return json == null ? null : JSON.readTree(json);
    }

    private static <T> Parameter optional(@Nullable T value, Class<T> type) {
        return Parameter.fromOrEmpty(value, type);
    }

    private static Object optional(@Nullable Instant value) {
        return value == null ? Parameters.in(R2dbcType.TIMESTAMP_WITH_TIME_ZONE) : value;
    }
}
