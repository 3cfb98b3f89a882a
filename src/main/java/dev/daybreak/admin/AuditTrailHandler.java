package dev.daybreak.admin;

import dev.daybreak.platform.trail.AuditQuery;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.web.Input;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The audit trail over HTTP, to be read only. */
final class AuditTrailHandler {

    static final String EXAMPLE = """
            {"id": 311, "at": "2026-10-11T09:30:00.012Z", "actor": "reception", "address": "10.0.0.7", "action": "slot.change",
             "subject": "slot:1001", "before": {"capacity": 10, "closed": false}, "after": {"capacity": 12, "closed": false}}""";

    private static final int LONGEST = 200;
    private static final Pattern SUBJECT = Pattern.compile("([a-z-]{1,40})(?::([1-9][0-9]{0,17}))?");

    private final AuditTrail trail;

    AuditTrailHandler(AuditTrail trail) {
        this.trail = trail;
    }

    Mono<ServerResponse> list(ServerRequest request) {
        return trail.find(query(Input.query(request)))
                .flatMap(entries -> ServerResponse.ok().bodyValue(entries));
    }

    private static AuditQuery query(Input input) {
        String subject = input.optionalText("subject", LONGEST);
        Matcher named = SUBJECT.matcher(subject == null ? "none" : subject);
        boolean understood = named.matches();
        input.check(understood, "subject", "subject");
        Instant from = input.optionalInstant("from");
        Instant to = input.optionalInstant("to");
        if (from != null && to != null) {
            input.check(from.isBefore(to), "to", "after", "from");
        }
        var query = new AuditQuery(
                input.optionalText("actor", LONGEST),
                subject == null || !understood ? null : named.group(1),
                subject == null || !understood ? null : number(named.group(2)),
                from,
                to,
                input.optionalId("before"),
                input.integer("limit", 1, 200, 100));
        input.complete();
        return query;
    }

    private static @Nullable Long number(@Nullable String digits) {
        return digits == null ? null : Long.valueOf(digits);
    }
}
