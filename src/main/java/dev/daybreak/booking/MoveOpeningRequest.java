package dev.daybreak.booking;

import java.time.Instant;

/** Another time with the same doctor, for the description of the API. */
record MoveOpeningRequest(Instant startAt, int minutes) {}
