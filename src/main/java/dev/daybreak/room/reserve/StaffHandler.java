package dev.daybreak.room.reserve;

import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.web.Input;
import dev.daybreak.room.ReservationStatus;
import dev.daybreak.room.Reservations;
import dev.daybreak.schedule.ClinicSettings;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Reservations over HTTP, for the clinic's staff. */
final class StaffHandler {

    private static final int LONGEST_REASON = 200;

    private final StaffDesk desk;
    private final ClinicSettings clinic;
    private final Clock clock;

    StaffHandler(StaffDesk desk, ClinicSettings clinic, Clock clock) {
        this.desk = desk;
        this.clinic = clinic;
        this.clock = clock;
    }

    Mono<ServerResponse> list(ServerRequest request) {
        Input input = Input.query(request);
        @Nullable LocalDate date = input.optionalDate("date");
        ZoneId zone = input.zone("zone", clinic.zone());
        @Nullable Long room = input.optionalId("roomId");
        @Nullable ReservationStatus status = input.optionalChoice("status", ReservationStatus.class);
        int limit = input.integer("limit", 1, Reservations.MOST, Reservations.MOST);
        input.complete();
        LocalDate day = date == null ? LocalDate.ofInstant(clock.instant(), zone) : date;
        Instant from = day.atStartOfDay(zone).toInstant();
        Instant to = day.plusDays(1).atStartOfDay(zone).toInstant();
        return desk.between(from, to, room, status, limit)
                .flatMap(found -> ServerResponse.ok()
                        .bodyValue(found.stream().map(ReservationView::of).toList()));
    }

    Mono<ServerResponse> cancel(ServerRequest request) {
        Input input = Input.pathAndQuery(request);
        String reason = input.text("reason", LONGEST_REASON);
        long id = input.id("id");
        input.complete();
        return desk.cancel(id, reason, Actor.of(request))
                .then(Mono.defer(() -> ServerResponse.noContent().build()));
    }
}
