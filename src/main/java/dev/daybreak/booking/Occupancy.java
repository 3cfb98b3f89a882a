package dev.daybreak.booking;

import java.util.List;

/**
 * Who has the seats of a slot, in one reading.
 *
 * @param version the slot's version in that reading
 * @param keys the idempotency keys of its active appointments
 */
public record Occupancy(int remaining, long version, List<String> keys) {

    public boolean isFull() {
        return remaining <= 0;
    }
}
