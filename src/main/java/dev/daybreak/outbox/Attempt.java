package dev.daybreak.outbox;

import org.jspecify.annotations.Nullable;

/** What came of delivering an event. */
sealed interface Attempt {

    Due due();

    record Published(Due due) implements Attempt {}

    /** It may be the event's fault. */
    record Failed(Due due, String error) implements Attempt {

        private static final int LONGEST = 500;

        static Failed of(Due due, Throwable failure) {
            return new Failed(due, textOf(failure));
        }

        static String textOf(Throwable failure) {
            String text = String.valueOf(failure).replace('\0', ' '); // which PostgreSQL does not store
            return text.substring(0, Math.min(LONGEST, text.length()));
        }
    }

    /** Where it should have gone is away, whichever event it is. */
    record Postponed(Due due, @Nullable Throwable why) implements Attempt {}
}
