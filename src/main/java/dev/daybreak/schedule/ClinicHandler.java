package dev.daybreak.schedule;

import java.time.Clock;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** What a page has to know of the clinic before it can show a time. */
final class ClinicHandler {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm");

    private final ClinicSettings clinic;
    private final Clock clock;

    ClinicHandler(ClinicSettings clinic, Clock clock) {
        this.clinic = clinic;
        this.clock = clock;
    }

    /**
     * The clinic, in answers.
     *
     * @param openingTime local, when the slots of a day become bookable
     * @param openingDays how many days before the slot's day that is
     * @param now by the clock that decides what is open, past or expired
     */
    record View(String zone, String openingTime, int openingDays, Instant now) {

        static final String EXAMPLE = """
                {"zone": "Europe/Berlin", "openingTime": "07:00", "openingDays": 14, "now": "2026-10-01T05:00:00.012Z"}""";
    }

    Mono<ServerResponse> show(ServerRequest request) {
        var view = new View(
                clinic.zone().getId(), TIME.format(clinic.openingTime()), clinic.openingDays(), clock.instant());
        return ServerResponse.ok().header("Cache-Control", "no-store").bodyValue(view);
    }
}
