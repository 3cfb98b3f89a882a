package dev.daybreak.booking;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who has the seats of a slot, in one reading.
 *
 * @param remaining seats left, those of expired holds included
 * @param keys the idempotency keys of its active appointments
 * @param holders the patients who hold one of the seats
 * @param nextExpiry when the first of the holds expires; null if there is none
 */
public record Occupancy(
        int remaining,
        List<String> keys,
        List<Long> holders,
        @Nullable Instant nextExpiry) {

    public boolean isFull() {
        return remaining <= 0;
    }
}
