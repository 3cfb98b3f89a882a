package dev.daybreak.notification;

/** By what a message goes out. */
enum Channel {
    EMAIL,
    SMS
}
