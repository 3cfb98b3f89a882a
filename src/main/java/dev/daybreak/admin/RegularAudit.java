package dev.daybreak.admin;

import dev.daybreak.admin.InvariantAudit.Finding;
import dev.daybreak.platform.time.Recurring;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** An audit of the invariants that is made now and then, and says so in the log when something is wrong. */
final class RegularAudit extends Recurring {

    private static final Logger LOG = LoggerFactory.getLogger(RegularAudit.class);

    private static final Duration FIRST = Duration.ofMinutes(15);

    private final Mono<List<Finding>> audit;

    private RegularAudit(String name, Duration first, Duration interval, Mono<List<Finding>> audit) {
        super(name, first, interval);
        this.audit = audit;
    }

    static RegularAudit ofLatest(InvariantAudit audit, AuditSettings settings) {
        return new RegularAudit(
                "The audit of the latest changes",
                settings.interval(),
                settings.interval(),
                audit.runOnLatest(settings.events()));
    }

    /** For the first time soon after the start. */
    static RegularAudit ofAllRows(InvariantAudit audit, AuditSettings settings) {
        Duration full = settings.fullInterval();
        return new RegularAudit(
                "The audit of all rows", full.compareTo(FIRST) < 0 ? full : FIRST, full, audit.runUnhurried());
    }

    @Override
    protected Mono<?> work() {
        return audit.doOnNext(RegularAudit::tell);
    }

    private static void tell(List<Finding> findings) {
        findings.stream()
                .filter(finding -> finding.count() > 0)
                .forEach(finding ->
                        LOG.error("{} is broken: {}, {} rows", finding.invariant(), finding.rule(), finding.count()));
    }
}
