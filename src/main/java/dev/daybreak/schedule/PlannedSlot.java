package dev.daybreak.schedule;

import java.time.Instant;

/** A slot that shall exist. */
record PlannedSlot(long doctorId, Instant startAt, Instant endAt, int capacity, Instant opensAt) {}
