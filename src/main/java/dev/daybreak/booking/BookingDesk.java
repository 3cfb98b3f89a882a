package dev.daybreak.booking;

import reactor.core.publisher.Mono;

/** Takes booking requests: {@link Booking} itself, or whoever stands in front of it and spares it those without a chance. */
public interface BookingDesk {

    /** Emits what became of the request; cold, and once subscribed to, carried out even if the subscriber leaves. */
    Mono<BookingOutcome> book(BookingRequest request);

    Mono<OpeningOutcome> bookOpening(OpeningRequest request);
}
