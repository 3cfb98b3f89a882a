package dev.daybreak.booking;

import java.time.Instant;

/** One patient asks for a time of a flexible doctor; the key makes the request safe to repeat. */
public record OpeningRequest(long doctorId, Instant startAt, int minutes, long patientId, IdempotencyKey key) {}
