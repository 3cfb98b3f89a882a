package dev.daybreak.outbox;

/** An event, or a record of one, that nobody can read. */
final class Malformed extends RuntimeException {

    Malformed(String message) {
        super(message, null, false, false);
    }
}
