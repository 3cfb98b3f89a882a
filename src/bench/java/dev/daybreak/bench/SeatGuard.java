package dev.daybreak.bench;

import reactor.core.publisher.Mono;

/** A way to see to it that a slot gets no more appointments than it has seats. */
interface SeatGuard {

    String name();

    /**
     * Books a seat if the slot has one: count, appointment and outbox row, all or none. Emits the outcome after commit, or an
     * error when the database failed or retrying was given up.
     */
    Mono<Attempt> tryReserve(SeatRequest request);

    record SeatRequest(long slotId, long patientId, String key) {}

    /**
     * @param booked false if the slot was full
     * @param retries how often the transaction was run again
     */
    record Attempt(boolean booked, int retries) {

        static final Attempt BOOKED = new Attempt(true, 0);
        static final Attempt FULL = new Attempt(false, 0);
    }
}
