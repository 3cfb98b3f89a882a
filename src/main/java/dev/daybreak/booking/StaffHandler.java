package dev.daybreak.booking;

import dev.daybreak.booking.BookingOutcome.Booked;
import dev.daybreak.booking.BookingOutcome.Refused;
import dev.daybreak.booking.BookingOutcome.Replayed;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.ProblemResponses;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.web.Input;
import dev.daybreak.schedule.ClinicSettings;
import dev.daybreak.schedule.Doctors;
import java.net.URI;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** What the clinic's staff ask about appointments, over HTTP. */
final class StaffHandler {

    static final int LONGEST_REASON = 200;

    private final StaffDesk desk;
    private final StaffLists lists;
    private final Doctors doctors;
    private final ClinicSettings clinic;
    private final BookingSettings settings;
    private final ProblemResponses problems;

    StaffHandler(
            StaffDesk desk,
            StaffLists lists,
            Doctors doctors,
            ClinicSettings clinic,
            BookingSettings settings,
            ProblemResponses problems) {
        this.desk = desk;
        this.lists = lists;
        this.doctors = doctors;
        this.clinic = clinic;
        this.settings = settings;
        this.problems = problems;
    }

    Mono<ServerResponse> book(ServerRequest request) {
        IdempotencyKey key = BookAppointmentRequest.key(request);
        return Input.body(request)
                .map(input -> StaffBookingRequest.read(input, key))
                .flatMap(wish -> wish.force() && !settings.overbooking()
                        ? Mono.error(new Refusal(ProblemCode.OVERBOOKING_NOT_ALLOWED))
                        : desk.book(wish, Actor.of(request))
                                .flatMap(outcome ->
                                        answer(request, wish.request().slotId(), outcome)));
    }

    private Mono<ServerResponse> answer(ServerRequest request, long slotId, BookingOutcome outcome) {
        return switch (outcome) {
            case Booked booked ->
                ServerResponse.created(URI.create(
                                "/api/appointments/" + booked.appointment().id()))
                        .bodyValue(AppointmentView.of(booked.appointment()));
            case Replayed replayed -> ServerResponse.ok().bodyValue(AppointmentView.of(replayed.appointment()));
            case Refused refused -> problems.write(request, BookingProblems.of(refused, slotId));
        };
    }

    Mono<ServerResponse> cancel(ServerRequest request) {
        Input input = Input.pathAndQuery(request);
        long id = input.id("id");
        String reason = input.text("reason", LONGEST_REASON);
        input.complete();
        return desk.cancel(id, reason, Actor.of(request)).flatMap(outcome -> switch (outcome) {
            case CANCELLED, UNCHANGED -> ServerResponse.noContent().build();
            // What is filed stays as it was.
            case TOO_LATE -> Mono.error(new Refusal(ProblemCode.TOO_LATE));
            case NOT_FOUND -> Mono.error(new Refusal(ProblemCode.APPOINTMENT_NOT_FOUND));
        });
    }

    Mono<ServerResponse> ofDay(ServerRequest request) {
        Input input = Input.query(request);
        return lists.ofDay(day(input, input.optionalId("doctorId"))).flatMap(StaffHandler::views);
    }

    Mono<ServerResponse> ofDoctor(ServerRequest request) {
        Input input = Input.pathAndQuery(request);
        long doctorId = input.id("id");
        return lists.ofDay(day(input, doctorId))
                .flatMap(found -> doctors.requireKnown(doctorId, found))
                .flatMap(StaffHandler::views);
    }

    private StaffLists.Day day(Input input, @Nullable Long doctorId) {
        LocalDate date = input.date("date");
        ZoneId zone = input.zone("zone", clinic.zone());
        var day = new StaffLists.Day(
                date.atStartOfDay(zone).toInstant(),
                date.plusDays(1).atStartOfDay(zone).toInstant(),
                doctorId,
                input.optionalChoice("status", AppointmentStatus.class),
                input.optionalId("after"),
                input.integer("limit", 1, 200, 200));
        input.complete();
        return day;
    }

    Mono<ServerResponse> holds(ServerRequest request) {
        Input input = Input.query(request);
        HoldState state = input.optionalChoice("status", HoldState.class);
        Long before = input.optionalId("before");
        int limit = input.integer("limit", 1, 200, 100);
        input.complete();
        return lists.holds(state == null ? null : AppointmentStatus.valueOf(state.name()), before, limit)
                .flatMap(StaffHandler::views);
    }

    /** What can become of a hold that stays one. */
    enum HoldState {
        HELD,
        EXPIRED
    }

    private static Mono<ServerResponse> views(List<Appointment> found) {
        return ServerResponse.ok()
                .bodyValue(found.stream().map(AppointmentView::withHistory).toList());
    }
}
