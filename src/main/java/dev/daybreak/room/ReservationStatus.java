package dev.daybreak.room;

/** A reservation whose time is over stays ACTIVE. */
public enum ReservationStatus {
    ACTIVE,
    CANCELLED
}
