package dev.daybreak.booking;

import dev.daybreak.schedule.Openings.Opening;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A time of a flexible doctor that can be booked.
 *
 * @param opensAt from when, if that is still to come
 */
record OpeningView(Instant startAt, Instant endAt, @Nullable Instant opensAt) {

    static final String EXAMPLE = """
            {"startAt": "2026-10-12T07:00:00Z", "endAt": "2026-10-12T07:30:00Z"}""";

    static OpeningView of(Opening opening, Instant now) {
        return new OpeningView(
                opening.time().startAt(),
                opening.time().endAt(),
                opening.opensAt().isAfter(now) ? opening.opensAt() : null);
    }
}
