package dev.daybreak.admin;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Runs the audit at intervals, and says so in the log when something is wrong. */
final class RegularAudit implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(RegularAudit.class);

    private final InvariantAudit audit;
    private final Duration interval;
    private @Nullable Disposable running;

    RegularAudit(InvariantAudit audit, AuditSettings settings) {
        this.audit = audit;
        this.interval = settings.interval();
    }

    @Override
    public void start() {
        if (interval.isZero()) {
            return;
        }
        running = Mono.delay(interval)
                .then(Mono.defer(audit::run))
                .doOnNext(findings -> findings.stream()
                        .filter(finding -> finding.count() > 0)
                        .forEach(finding -> LOG.error(
                                "{} is broken: {}, {} rows", finding.invariant(), finding.rule(), finding.count())))
                .onErrorResume(failure -> {
                    LOG.warn("The audit of the invariants failed and is tried again later: {}", failure.toString());
                    return Mono.empty();
                })
                .repeat()
                .subscribe();
    }

    @Override
    public void stop() {
        if (running != null) {
            running.dispose();
            running = null;
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }
}
