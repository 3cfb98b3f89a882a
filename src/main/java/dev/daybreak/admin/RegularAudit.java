package dev.daybreak.admin;

import dev.daybreak.admin.InvariantAudit.Finding;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Audits the latest changes often and all rows now and then, and says so in the log when something is wrong. All rows for the first time
 * soon after the start.
 */
final class RegularAudit implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(RegularAudit.class);

    private static final Duration FIRST = Duration.ofMinutes(15);

    private final InvariantAudit audit;
    private final AuditSettings settings;
    private final Disposable.Swap running = Disposables.swap();
    private volatile boolean started;

    RegularAudit(InvariantAudit audit, AuditSettings settings) {
        this.audit = audit;
        this.settings = settings;
    }

    @Override
    public void start() {
        Duration full = settings.fullInterval();
        Duration first = full.compareTo(FIRST) < 0 ? full : FIRST;
        running.update(Flux.merge(
                        every(settings.interval(), settings.interval(), audit.runOnLatest(settings.events())),
                        every(first, full, audit.runUnhurried()))
                .subscribe());
        started = true;
    }

    private static Flux<?> every(Duration first, Duration interval, Mono<List<Finding>> audit) {
        if (interval.isZero()) {
            return Flux.empty();
        }
        Mono<List<Finding>> told = audit.doOnNext(RegularAudit::tell).onErrorResume(failure -> {
            LOG.warn("The audit of the invariants failed and is tried again later: {}", failure.toString());
            return Mono.empty();
        });
        return Mono.delay(first)
                .then(told)
                .concatWith(Mono.delay(interval).then(told).repeat());
    }

    private static void tell(List<Finding> findings) {
        findings.stream()
                .filter(finding -> finding.count() > 0)
                .forEach(finding ->
                        LOG.error("{} is broken: {}, {} rows", finding.invariant(), finding.rule(), finding.count()));
    }

    @Override
    public void stop() {
        started = false;
        running.update(Disposables.disposed());
    }

    @Override
    public boolean isRunning() {
        return started;
    }
}
