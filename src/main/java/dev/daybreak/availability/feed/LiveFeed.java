package dev.daybreak.availability.feed;

import dev.daybreak.availability.day.DoctorDay;
import dev.daybreak.availability.day.SlotChangedElsewhere;
import dev.daybreak.availability.day.SlotJson;
import dev.daybreak.platform.feed.Feed;
import dev.daybreak.platform.feed.FeedSettings;
import dev.daybreak.platform.feed.OpenStreams;
import dev.daybreak.schedule.Doctors;
import dev.daybreak.schedule.Slot;
import dev.daybreak.schedule.SlotChanged;
import dev.daybreak.schedule.Slots;
import dev.daybreak.schedule.SlotsPublished;
import java.time.Clock;
import java.util.List;
import org.springframework.context.event.EventListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Doctors' days as streams of events. What changes here is sent at once, what changes elsewhere when its message arrives,
 * what was missed at the next comparison. An unknown doctor's stream errors with DOCTOR_NOT_FOUND.
 */
public final class LiveFeed extends Feed<Long, DoctorDay, WatchedDay> {

    private static final int CHECKED_AT_ONCE = 500;

    private final Slots slots;
    private final Doctors doctors;
    private final SlotJson json;
    private final Clock clock;

    LiveFeed(Slots slots, Doctors doctors, SlotJson json, Clock clock, FeedSettings settings, OpenStreams streams) {
        super("live-feed", Integer.MAX_VALUE, clock, settings, streams);
        this.slots = slots;
        this.doctors = doctors;
        this.json = json;
        this.clock = clock;
    }

    @Override
    protected Long group(DoctorDay day) {
        return day.doctorId();
    }

    @Override
    protected WatchedDay watch(DoctorDay day) {
        return new WatchedDay(day, json, clock);
    }

    @Override
    protected Mono<Void> load(WatchedDay of) {
        DoctorDay day = of.key();
        return slots.between(day.doctorId(), day.from(), day.to())
                .flatMap(found -> doctors.requireKnown(day.doctorId(), found))
                .doOnNext(of::load)
                .then();
    }

    /** One statement for up to 500 days. */
    @Override
    protected Mono<Void> check(List<WatchedDay> of) {
        return Flux.fromIterable(of)
                .map(WatchedDay::seen)
                .buffer(CHECKED_AT_ONCE)
                .concatMap(slots::changedSince)
                .doOnNext(this::apply)
                .then();
    }

    @EventListener
    void on(SlotChanged changed) {
        apply(changed.slot());
    }

    @EventListener
    void on(SlotChangedElsewhere changed) {
        apply(changed.slot());
    }

    /** The event names no slots: the days they may belong to are compared at once. */
    @EventListener
    void on(SlotsPublished published) {
        checkNow(watched(published.doctorId()));
    }

    private void apply(Slot slot) {
        for (WatchedDay day : watched(slot.doctorId())) {
            if (day.apply(slot)) {
                schedule(day);
            }
        }
    }
}
