package dev.daybreak.room;

/**
 * What is reserved of a room has changed within the range, and is committed: something was reserved or cancelled there, or moved to or from
 * there. A move of a reservation is two of these. Published on the thread that learned of it, to this process only.
 */
public record ReservationChanged(long roomId, TimeRange range) {}
