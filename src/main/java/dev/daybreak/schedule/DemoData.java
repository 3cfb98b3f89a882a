package dev.daybreak.schedule;

import java.time.Clock;
import java.time.LocalDate;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Furnishes a clinic without doctors, so that the first look at the service shows something to book. */
class DemoData implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(DemoData.class);
    private static final long PATIENCE_SECONDS = 30;

    private final boolean enabled;
    private final Doctors doctors;
    private final Schedules schedules;
    private final WindowFiller filler;
    private final ClinicSettings clinic;
    private final Clock clock;
    private final TransactionalOperator transaction;
    private volatile boolean done;

    DemoData(
            boolean enabled,
            Doctors doctors,
            Schedules schedules,
            WindowFiller filler,
            ClinicSettings clinic,
            Clock clock,
            TransactionalOperator transaction) {
        this.enabled = enabled;
        this.doctors = doctors;
        this.schedules = schedules;
        this.filler = filler;
        this.clinic = clinic;
        this.clock = clock;
        this.transaction = transaction;
    }

    /** Makes doctors, schedules and slots if there is no doctor; emits how many slots were made. */
    Mono<Long> furnish() {
        return doctors.any().flatMap(any -> any ? Mono.just(0L) : addDoctors().then(filler.fill()));
    }

    /** Waits for it: the service must not open its doors before the doctors are in. */
    @Override
    public void start() {
        done = true;
        if (enabled) {
            furnish()
                    .doOnNext(DemoData::report)
                    .onErrorResume(failure -> {
                        log.warn("The demo doctors could not be added", failure);
                        return Mono.empty();
                    })
                    .toFuture()
                    .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
        }
    }

    // All doctors or none, without their slots: those are the filler's to make, whenever it comes to it.
    private Mono<Void> addDoctors() {
        LocalDate today = clinic.dayOf(clock.instant());
        return Flux.fromIterable(DemoClinic.DOCTORS)
                .concatMap(entry -> add(entry, today))
                .then()
                .as(transaction::transactional);
    }

    private Mono<Long> add(DemoClinic.Entry entry, LocalDate today) {
        return doctors.add(entry.name(), entry.specialty())
                .flatMap(doctor -> schedules.keep(doctor.id(), entry.standingFrom(today), today.minusDays(1)));
    }

    private static void report(long slots) {
        if (slots > 0) {
            log.info("Added {} demo doctors with {} slots", DemoClinic.DOCTORS.size(), slots);
        }
    }

    @Override
    public void stop() {
        done = false;
    }

    @Override
    public boolean isRunning() {
        return done;
    }

    @Override
    public int getPhase() {
        return 1; // after the pool has been warmed up, and long before the web server
    }
}
