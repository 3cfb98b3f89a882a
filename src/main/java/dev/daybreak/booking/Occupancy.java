package dev.daybreak.booking;

import java.util.List;

/**
 * Who has the seats of a slot, in one reading.
 *
 * @param keys the idempotency keys of its active appointments
 */
public record Occupancy(int remaining, List<String> keys) {

    public boolean isFull() {
        return remaining <= 0;
    }
}
