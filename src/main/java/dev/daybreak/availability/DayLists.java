package dev.daybreak.availability;

import dev.daybreak.availability.day.DoctorDay;
import dev.daybreak.availability.day.SlotChangedElsewhere;
import dev.daybreak.availability.day.SlotJson;
import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Doctors;
import dev.daybreak.schedule.Slot;
import dev.daybreak.schedule.SlotChanged;
import dev.daybreak.schedule.Slots;
import dev.daybreak.schedule.SlotsPublished;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The lists of the clinic's days: from the memory of this instance, from Redis, or from PostgreSQL. Other zones' days are
 * cut out of these.
 */
final class DayLists {

    private static final Duration SOON = Duration.ofSeconds(1);

    private final Slots slots;
    private final Doctors doctors;
    private final ClinicSettings clinic;
    private final Clock clock;
    private final SlotJson json;
    private final DayCache cache;
    private final DayCopies copies;
    private final int maxLoads;
    private final AtomicInteger loads = new AtomicInteger();
    private final Counter copyHits;

    DayLists(
            Slots slots,
            Doctors doctors,
            ClinicSettings clinic,
            Clock clock,
            SlotJson json,
            DayCache cache,
            ListSettings settings,
            MeterRegistry meters) {
        this.slots = slots;
        this.doctors = doctors;
        this.clinic = clinic;
        this.clock = clock;
        this.json = json;
        this.cache = cache;
        this.copies = new DayCopies(settings, json, clock, this::load);
        this.maxLoads = settings.maxLoads();
        this.copyHits = DayCache.counter(meters, "copy");
        Gauge.builder("daybreak.slots.copies", copies, DayCopies::size)
                .description("Lists in memory")
                .baseUnit("lists")
                .register(meters);
    }

    /** The list of a day that can be had without waiting, or null. */
    @Nullable
    DayList peek(DoctorDay day) {
        DayList copy = copies.peek(day);
        if (copy != null) {
            copyHits.increment();
        }
        return copy;
    }

    /**
     * Emits the list of the day. Errors with a {@link Refusal}: DOCTOR_NOT_FOUND, or BUSY if too many other days are being
     * loaded; and with the database's failure.
     */
    Mono<DayList> find(DoctorDay day) {
        List<DoctorDay> days = day.clinicDays(clinic);
        return days.size() == 1 && days.getFirst().equals(day)
                ? copies.find(day)
                : Flux.fromIterable(days)
                        .concatMap(copies::find)
                        .collectList()
                        .map(lists -> DayList.between(lists, day.from(), day.to()));
    }

    @EventListener
    void on(SlotChanged changed) {
        Slot slot = changed.slot();
        DoctorDay day = DoctorDay.of(slot, clinic);
        cache.invalidate(day);
        copies.apply(day, slot);
    }

    @EventListener
    void on(SlotChangedElsewhere changed) {
        copies.apply(DoctorDay.of(changed.slot(), clinic), changed.slot());
    }

    @EventListener
    void on(SlotsPublished published) {
        clinic.dayOf(published.from())
                .datesUntil(clinic.dayOf(published.to()).plusDays(1))
                .map(date -> new DoctorDay(published.doctorId(), date, clinic.zone()))
                .forEach(day -> {
                    cache.invalidate(day);
                    copies.drop(day);
                });
    }

    private Mono<DayList> load(DoctorDay day) {
        return cache.find(day).switchIfEmpty(Mono.defer(() -> loadFromDatabase(day)));
    }

    private Mono<DayList> loadFromDatabase(DoctorDay day) {
        if (loads.incrementAndGet() > maxLoads) {
            loads.decrementAndGet();
            return Mono.error(new Refusal(Problem.of(ProblemCode.BUSY).retryAfter(SOON)));
        }
        Instant now = clock.instant();
        long began = System.nanoTime();
        return slots.between(day.doctorId(), day.from(), day.to())
                .flatMap(found -> doctors.requireKnown(day.doctorId(), found))
                .map(found -> DayList.of(found, now, json))
                .doOnNext(list -> cache.keep(day, list, Duration.ofNanos(System.nanoTime() - began)))
                .doFinally(end -> loads.decrementAndGet());
    }
}
