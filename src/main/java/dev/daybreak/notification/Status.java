package dev.daybreak.notification;

/** What has become of a message. */
enum Status {
    PENDING,
    SENT,
    FAILED,
    SKIPPED
}
