package dev.daybreak.notification;

/** What a message is about. */
enum Kind {
    BOOKED,
    CONFIRMED,
    MOVED,
    CANCELLED,
    REMINDER
}
