package dev.daybreak.booking;

import org.jspecify.annotations.Nullable;

/**
 * One patient asks for one seat; the key makes the request safe to repeat.
 *
 * @param tokenHash of the token that will confirm it, if the seat is only to be held; null to book it
 */
public record BookingRequest(
        long slotId,
        long patientId,
        IdempotencyKey key,
        @Nullable String tokenHash) {

    public BookingRequest(long slotId, long patientId, IdempotencyKey key) {
        this(slotId, patientId, key, null);
    }

    BookingRequest holding(HoldToken token) {
        return new BookingRequest(slotId, patientId, key, token.hash());
    }

    boolean isHold() {
        return tokenHash != null;
    }
}
