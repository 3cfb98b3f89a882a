package dev.daybreak.admission;

import java.time.Duration;

/** What the gate thinks of a request. */
sealed interface Verdict {

    Verdict ADMITTED = new Admitted();
    Verdict KNOWN_FULL = new KnownFull();

    /** It may ask the database. */
    record Admitted() implements Verdict {}

    /** The slot was full a moment ago, and the request is not a retry of one that got a seat. */
    record KnownFull() implements Verdict {}

    /** The patient tried too often; the wait ends with the window. */
    record TooOften(Duration retryAfter) implements Verdict {}
}
