package dev.daybreak.booking;

/** The body of a hold, for the description of the API. Times of flexible doctors cannot be held. */
record HoldSeatRequest(long slotId, long patientId) {}
