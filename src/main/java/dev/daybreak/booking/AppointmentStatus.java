package dev.daybreak.booking;

/** The life of an appointment; HELD and BOOKED take a seat. */
public enum AppointmentStatus {
    HELD,
    BOOKED,
    CANCELLED,
    EXPIRED
}
