package dev.daybreak.notification;

import dev.daybreak.booking.Appointment;
import dev.daybreak.booking.Booking;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.time.Recurring;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes the reminders of appointments that come near. They follow from the appointments as they are, so a restart, a move or a
 * cancellation needs nothing to be undone; a reminder's event id follows from the appointment and its start, so it is made
 * once, by whichever instance comes first. Looks at everything within reach when it starts and once an hour, and in between only at
 * what has come into reach since.
 */
final class Reminders extends Recurring {

    private static final int PAGE = 500;
    private static final Duration STEP = Duration.ofHours(1);
    // Instances' clocks differ a little, and so do the moments at which bookings become visible.
    private static final Duration OVERLAP = Duration.ofMinutes(5);
    // For whatever else may bring an appointment within reach unseen, such as a clock that was wrong.
    private static final Duration BETWEEN_FULL_LOOKS = Duration.ofHours(1);

    private final Booking booking;
    private final Notifier notifier;
    private final NotificationSettings settings;
    private final Clock clock;
    private volatile @Nullable Instant lookedAt;
    private volatile @Nullable Instant lookedAtAllAt;

    private record Stretch(Instant from, Instant to) {}

    Reminders(Booking booking, Notifier notifier, NotificationSettings settings, Clock clock) {
        super(
                "Making reminders",
                Duration.ZERO,
                settings.reminder().isZero() ? Duration.ZERO : settings.reminderCheck());
        this.booking = booking;
        this.notifier = notifier;
        this.settings = settings;
        this.clock = clock;
    }

    /** Makes the reminders that are due and not there yet, and emits how many messages that was. Safe to run at any time. */
    Mono<Long> remind() {
        return Mono.defer(() -> {
            Instant now = clock.instant();
            Instant from = from(now);
            return Flux.fromIterable(stretches(from, now.plus(settings.reminder())))
                    .concatMap(stretch -> remind(stretch, now))
                    .reduce(0L, Long::sum)
                    .doOnSuccess(made -> {
                        lookedAt = now;
                        lookedAtAllAt = from.equals(now) ? now : lookedAtAllAt;
                    });
        });
    }

    /** Where to begin: now, or where the last look ended. */
    private Instant from(Instant now) {
        Instant last = lookedAt;
        Instant lastAtAll = lookedAtAllAt;
        if (last == null
                || lastAtAll == null
                || last.isAfter(now)
                || !now.isBefore(lastAtAll.plus(BETWEEN_FULL_LOOKS))) {
            return now;
        }
        Instant seen = last.plus(settings.reminder()).minus(OVERLAP);
        return seen.isAfter(now) ? seen : now;
    }

    private static List<Stretch> stretches(Instant first, Instant end) {
        var stretches = new ArrayList<Stretch>();
        Instant from = first;
        while (from.isBefore(end)) {
            Instant to = from.plus(STEP);
            to = to.isBefore(end) ? to : end.plusNanos(1_000); // the end itself is due
            stretches.add(new Stretch(from, to));
            from = to;
        }
        return stretches;
    }

    private Mono<Long> remind(Stretch stretch, Instant now) {
        return page(stretch, 0)
                .expand(page -> page.size() < PAGE
                        ? Mono.empty()
                        : page(stretch, page.getLast().id()))
                .concatMap(page -> remind(page, now))
                .reduce(0L, Long::sum);
    }

    private Mono<List<Appointment>> page(Stretch stretch, long after) {
        return booking.startingIn(stretch.from(), stretch.to(), after, PAGE).collectList();
    }

    private Mono<Long> remind(List<Appointment> page, Instant now) {
        List<Announcement> reminders = page.stream()
                .filter(appointment -> appointment.startAt().isAfter(now))
                .filter(appointment -> Relevance.needsReminder(appointment, settings.reminder()))
                .map(appointment -> Announcement.reminder(appointment, settings.reminder(), now))
                .toList();
        return reminders.isEmpty() ? Mono.just(0L) : Detached.run(notifier.announce(reminders));
    }

    @Override
    protected Mono<?> work() {
        return remind();
    }

    @Override
    public int getPhase() {
        return 2; // after the pools have been warmed up
    }
}
