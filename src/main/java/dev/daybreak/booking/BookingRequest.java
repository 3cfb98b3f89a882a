package dev.daybreak.booking;

/** One patient asks for one seat; the key makes the request safe to repeat. */
public record BookingRequest(long slotId, long patientId, IdempotencyKey key) {}
