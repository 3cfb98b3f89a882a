package dev.daybreak.notification;

import org.jspecify.annotations.Nullable;

/**
 * A message ready to go out.
 *
 * @param id of the notification, the same on every attempt
 * @param subject null for text messages, as is html
 * @param calendar the appointment as a calendar file, to be attached
 */
record Message(
        long id,
        String to,
        @Nullable String subject,
        String text,
        @Nullable String html,
        @Nullable CalendarAttachment calendar) {

    /** @param method what the receiving calendar does with it, PUBLISH or CANCEL */
    record CalendarAttachment(String name, String method, byte[] content) {}

    /** Keeps the address out of logs. */
    @Override
    public String toString() {
        return "Message[" + id + "]";
    }
}
