package dev.daybreak.notification;

import static dev.daybreak.platform.sql.Columns.required;

import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The table {@code notification}. Every method is one statement. */
final class Notifications {

    static final int LONGEST_REASON = 200;

    private static final String COLUMNS = """
            n.id, n.event_id, n.channel, n.kind, n.appointment_id, n.patient_id, n.start_at, n.end_at, n.previous_start_at, n.status,
            n.attempts, n.last_error, n.next_attempt_at, n.created_at, n.sent_at, n.subject, n.body
            """;

    // Whoever cannot be reached is skipped at once: most patients have no second channel, and a rush brings thousands
    // of them.
    private static final String ADD = """
            WITH added AS (
                INSERT INTO notification (event_id, channel, kind, appointment_id, patient_id, start_at, end_at, previous_start_at,
                                          status, last_error, created_at, next_attempt_at)
                SELECT e.event_id, c.channel, e.kind, e.appointment_id, e.patient_id,
                       'epoch'::timestamptz + e.start_at * interval '1 microsecond',
                       'epoch'::timestamptz + e.end_at * interval '1 microsecond',
                       'epoch'::timestamptz + e.previous_at * interval '1 microsecond',
                       CASE WHEN c.reason IS NULL THEN 'PENDING' ELSE 'SKIPPED' END, c.reason,
                       'epoch'::timestamptz + e.created_at * interval '1 microsecond',
                       CASE WHEN c.reason IS NULL THEN 'epoch'::timestamptz + e.due_at * interval '1 microsecond' END
                FROM unnest(:events::uuid[], :kinds::text[], :appointments::bigint[], :patients::bigint[], :starts::bigint[],
                            :ends::bigint[], :previous::bigint[], :created::bigint[], :due::bigint[]) WITH ORDINALITY
                    AS e (event_id, kind, appointment_id, patient_id, start_at, end_at, previous_at, created_at, due_at, ord)
                LEFT JOIN LATERAL (SELECT p.email, p.phone, p.sms_consent FROM patient_contact p
                                   WHERE p.patient_id = e.patient_id LIMIT 1) p ON true
                CROSS JOIN LATERAL (
                    VALUES ('EMAIL', CASE WHEN p.email IS NULL THEN :noEmail::text END),
                           ('SMS', CASE WHEN p.phone IS NULL THEN :noPhone::text
                                        WHEN NOT p.sms_consent THEN :noConsent::text END)) c (channel, reason)
                ORDER BY e.ord
                ON CONFLICT (event_id, channel) DO NOTHING
                RETURNING channel, status)
            SELECT a.channel, a.status, count(*) AS rows FROM added a GROUP BY a.channel, a.status
            """;

    // Messages about one appointment go out in order: the later waits until the earlier is sent or given up. But
    // a reminder keeps nothing waiting.
    private static final String CLAIM = """
            WITH due AS (
                SELECT n.id FROM notification n
                WHERE n.channel = :channel AND n.status = 'PENDING' AND n.next_attempt_at <= :now
                  AND NOT EXISTS (SELECT FROM notification e
                                  WHERE e.appointment_id = n.appointment_id AND e.channel = :channel AND e.status = 'PENDING'
                                    AND e.id < n.id AND e.kind <> 'REMINDER' OFFSET 0)
                ORDER BY n.next_attempt_at, n.id
                LIMIT :most
                FOR NO KEY UPDATE OF n SKIP LOCKED),
            claimed AS (
                UPDATE notification n SET attempts = n.attempts + 1, next_attempt_at = :until
                FROM due WHERE n.id = due.id
                RETURNING n.*)
            SELECT\s""" + COLUMNS + """
            FROM claimed n ORDER BY n.id
            """;

    // Whose claim has run out and been taken over has nothing more to say about the message.
    private static final String SETTLE = """
            UPDATE notification n
            SET status = :status, last_error = :reason, next_attempt_at = :next, sent_at = :sent, subject = :subject, body = :body
            WHERE n.id = :id AND n.attempts = :attempts AND n.status = 'PENDING'
            """;

    private static final String GIVE_BACK = """
            UPDATE notification n SET attempts = n.attempts - 1, next_attempt_at = :now
            WHERE n.id = ANY (:ids) AND n.status = 'PENDING' AND n.next_attempt_at = :until
            """;

    private static final String LIST = "SELECT " + COLUMNS + """
            FROM notification n
            WHERE (:status::text IS NULL OR n.status = :status) AND (:patient::bigint IS NULL OR n.patient_id = :patient)
            ORDER BY n.id DESC
            LIMIT :limit
            """;

    private static final String FIND = "SELECT " + COLUMNS + "FROM notification n WHERE n.id = :id";

    private static final String RETRY = """
            UPDATE notification n SET status = 'PENDING', attempts = 0, next_attempt_at = :now, subject = NULL, body = NULL
            WHERE n.id = :id AND n.status = 'FAILED'
            RETURNING\s""" + COLUMNS;

    private static final String PENDING = """
            SELECT count(*) FROM notification n WHERE n.channel = :channel AND n.status = 'PENDING' AND n.next_attempt_at <= :now
            """;

    // Walks by id, in which the oldest come first: no index by age to be written with each message.
    private static final String PRUNE = """
            WITH seen AS (
                SELECT n.id, n.created_at, n.start_at FROM notification n WHERE n.id > :after ORDER BY n.id LIMIT :batch),
            removed AS (
                DELETE FROM notification n
                WHERE n.id = ANY (ARRAY(SELECT s.id FROM seen s WHERE s.created_at < :before AND s.start_at < :before)))
            SELECT CASE WHEN count(*) = :batch AND max(s.created_at) < :before THEN max(s.id) END AS last FROM seen s
            """;

    private final DatabaseClient database;

    /** How many messages of a channel were made, to be sent or not. */
    record Added(Channel channel, Status status, long count) {}

    /**
     * What has become of a message that was claimed.
     *
     * @param reason why, unless it was sent
     * @param nextAttemptAt of one that is tried again
     * @param subject as it was sent, or would have been
     */
    record Settlement(
            Status status,
            @Nullable String reason,
            @Nullable Instant nextAttemptAt,
            @Nullable Instant sentAt,
            @Nullable String subject,
            @Nullable String body) {}

    Notifications(DatabaseClient database) {
        this.database = database;
    }

    /** Makes the messages that are not there yet, those of earlier announcements first. */
    Mono<List<Added>> add(List<Announcement> announcements) {
        return database.sql(ADD)
                .bind("events", column(announcements, UUID[]::new, Announcement::eventId))
                .bind(
                        "kinds",
                        column(announcements, String[]::new, each -> each.kind().name()))
                .bind("appointments", column(announcements, Long[]::new, Announcement::appointmentId))
                .bind("patients", column(announcements, Long[]::new, Announcement::patientId))
                .bind("starts", column(announcements, Long[]::new, each -> micros(each.startAt())))
                .bind("ends", column(announcements, Long[]::new, each -> micros(each.endAt())))
                .bind("previous", column(announcements, Long[]::new, each -> microsOrNull(each.previousStartAt())))
                .bind("created", column(announcements, Long[]::new, each -> micros(each.createdAt())))
                .bind("due", column(announcements, Long[]::new, each -> micros(each.dueAt())))
                .bind("noEmail", Relevance.NO_EMAIL)
                .bind("noPhone", Relevance.NO_PHONE)
                .bind("noConsent", Relevance.NO_CONSENT)
                .map(row -> new Added(
                        Channel.valueOf(required(row, "channel", String.class)),
                        Status.valueOf(required(row, "status", String.class)),
                        required(row, "rows", Long.class)))
                .all()
                .collectList();
    }

    /** Takes messages that are due, so that nobody else does before {@code until}; counts that as an attempt. */
    Mono<List<Notification>> claim(Channel channel, Instant now, Instant until, int most) {
        return database.sql(CLAIM)
                .bind("channel", channel.name())
                .bind("now", now)
                .bind("until", until)
                .bind("most", most)
                .map(Notifications::read)
                .all()
                .collectList();
    }

    /** Records what has become of a message, unless somebody else has taken it over. */
    Mono<Void> settle(Notification claimed, Settlement settlement) {
        return database.sql(SETTLE)
                .bind("id", claimed.id())
                .bind("attempts", claimed.attempts())
                .bind("status", settlement.status().name())
                .bind("reason", Parameter.fromOrEmpty(settlement.reason(), String.class))
                .bind("next", Parameter.fromOrEmpty(settlement.nextAttemptAt(), Instant.class))
                .bind("sent", Parameter.fromOrEmpty(settlement.sentAt(), Instant.class))
                .bind("subject", Parameter.fromOrEmpty(settlement.subject(), String.class))
                .bind("body", Parameter.fromOrEmpty(settlement.body(), String.class))
                .then();
    }

    /** Undoes a claim of messages of which none was tried. */
    Mono<Void> giveBack(List<Notification> claimed, Instant until, Instant now) {
        return database.sql(GIVE_BACK)
                .bind("ids", column(claimed, Long[]::new, Notification::id))
                .bind("until", until)
                .bind("now", now)
                .then();
    }

    /** The latest first. */
    Flux<Notification> list(@Nullable Status status, @Nullable Long patientId, int limit) {
        return database.sql(LIST)
                .bind("status", Parameter.fromOrEmpty(status == null ? null : status.name(), String.class))
                .bind("patient", Parameter.fromOrEmpty(patientId, Long.class))
                .bind("limit", limit)
                .map(Notifications::read)
                .all();
    }

    /** Empty if there is none. */
    Mono<Notification> find(long id) {
        return database.sql(FIND).bind("id", id).map(Notifications::read).one();
    }

    /** Makes a failed message pending again, and emits it. Empty if it has not failed. */
    Mono<Notification> retry(long id, Instant now) {
        return database.sql(RETRY)
                .bind("id", id)
                .bind("now", now)
                .map(Notifications::read)
                .one();
    }

    /** How many are due and not sent yet. */
    Mono<Long> pending(Channel channel, Instant now) {
        return database.sql(PENDING)
                .bind("channel", channel.name())
                .bind("now", now)
                .mapValue(Long.class)
                .one();
    }

    /** Removes what is older among the next messages; emits the last it looked at, empty at the end. */
    Mono<Long> prune(long after, Instant before, int batch) {
        return database.sql(PRUNE)
                .bind("after", after)
                .bind("before", before)
                .bind("batch", batch)
                .map(row -> Optional.ofNullable(row.get("last", Long.class)))
                .one()
                .flatMap(Mono::justOrEmpty);
    }

    private static Notification read(Readable row) {
        return new Notification(
                required(row, "id", Long.class),
                required(row, "event_id", UUID.class),
                Channel.valueOf(required(row, "channel", String.class)),
                Kind.valueOf(required(row, "kind", String.class)),
                required(row, "appointment_id", Long.class),
                required(row, "patient_id", Long.class),
                required(row, "start_at", Instant.class),
                required(row, "end_at", Instant.class),
                row.get("previous_start_at", Instant.class),
                Status.valueOf(required(row, "status", String.class)),
                required(row, "attempts", Integer.class),
                row.get("last_error", String.class),
                row.get("next_attempt_at", Instant.class),
                required(row, "created_at", Instant.class),
                row.get("sent_at", Instant.class),
                row.get("subject", String.class),
                row.get("body", String.class));
    }

    private static <R, T> T[] column(List<R> rows, IntFunction<T[]> array, Function<R, @Nullable T> value) {
        return rows.stream().map(value).toArray(array);
    }

    private static @Nullable Long microsOrNull(@Nullable Instant instant) {
        return instant == null ? null : micros(instant);
    }

    private static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }
}
