package dev.daybreak.schedule;

import java.time.Clock;
import java.time.LocalDate;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Furnishes a clinic without doctors. */
final class DemoDoctors implements DemoData {

    private final Doctors doctors;
    private final Schedules schedules;
    private final WindowFiller filler;
    private final ClinicSettings clinic;
    private final Clock clock;
    private final TransactionalOperator transaction;

    DemoDoctors(
            Doctors doctors,
            Schedules schedules,
            WindowFiller filler,
            ClinicSettings clinic,
            Clock clock,
            TransactionalOperator transaction) {
        this.doctors = doctors;
        this.schedules = schedules;
        this.filler = filler;
        this.clinic = clinic;
        this.clock = clock;
        this.transaction = transaction;
    }

    @Override
    public Mono<String> furnish() {
        return doctors.any()
                .filter(any -> !any)
                .flatMap(none -> addDoctors().then(filler.fill()))
                .map(slots -> "%d doctors with %d slots".formatted(DemoClinic.DOCTORS.size(), slots));
    }

    // Without their slots: those are the filler's to make, whenever it comes to it.
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
}
