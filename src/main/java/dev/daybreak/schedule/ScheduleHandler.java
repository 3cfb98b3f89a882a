package dev.daybreak.schedule;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.web.Input;
import dev.daybreak.schedule.PublishOutcome.NoSuchDoctor;
import dev.daybreak.schedule.PublishOutcome.Overlap;
import dev.daybreak.schedule.PublishOutcome.Published;
import dev.daybreak.schedule.ScheduleChangeOutcome.Affects;
import dev.daybreak.schedule.ScheduleChangeOutcome.Changed;
import dev.daybreak.schedule.ScheduleChangeOutcome.NoSuchSchedule;
import dev.daybreak.schedule.ScheduleChangeOutcome.Overlaps;
import java.net.URI;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The schedules over HTTP. */
class ScheduleHandler {

    private final Doctors doctors;
    private final Schedules schedules;
    private final Publishing publishing;
    private final Rescheduling rescheduling;

    ScheduleHandler(Doctors doctors, Schedules schedules, Publishing publishing, Rescheduling rescheduling) {
        this.doctors = doctors;
        this.schedules = schedules;
        this.publishing = publishing;
        this.rescheduling = rescheduling;
    }

    Mono<ServerResponse> publish(ServerRequest request) {
        long doctorId = id(request);
        return Input.body(request).flatMap(input -> publish(doctorId, input, Actor.of(request)));
    }

    Mono<ServerResponse> list(ServerRequest request) {
        long doctorId = id(request);
        return doctors.find(doctorId)
                .switchIfEmpty(Mono.error(() -> new Refusal(ProblemCode.DOCTOR_NOT_FOUND)))
                .flatMap(doctor -> schedules.of(doctorId))
                .flatMap(found -> ServerResponse.ok()
                        .bodyValue(found.stream().map(ScheduleView::of).toList()));
    }

    private Mono<ServerResponse> publish(long doctorId, Input input, Actor actor) {
        Timetable timetable = ScheduleRequest.read(input);
        boolean dryRun = input.flag("dryRun", false);
        input.complete();
        return dryRun
                ? answer(ServerResponse.ok(), publishing.tryOut(doctorId, timetable))
                : answer(ServerResponse.created(schedulesOf(doctorId)), publishing.publish(doctorId, timetable, actor));
    }

    Mono<ServerResponse> change(ServerRequest request) {
        long scheduleId = id(request);
        return Input.body(request)
                .map(ScheduleChangeRequest::read)
                .flatMap(hours -> rescheduling.change(scheduleId, hours, Actor.of(request)))
                .flatMap(ScheduleHandler::answer);
    }

    Mono<ServerResponse> end(ServerRequest request) {
        Input input = Input.pathAndQuery(request);
        long scheduleId = input.id("id");
        Terms terms = Terms.read(input);
        input.complete();
        return rescheduling.end(scheduleId, terms, Actor.of(request)).flatMap(ScheduleHandler::answer);
    }

    private static Mono<ServerResponse> answer(ScheduleChangeOutcome outcome) {
        return switch (outcome) {
            case Changed changed -> ServerResponse.ok().bodyValue(ScheduleChangeView.of(changed));
            case Affects affects ->
                Mono.error(new Refusal(
                        ClosureHandler.affected(ProblemCode.SCHEDULE_AFFECTS_APPOINTMENTS, affects.appointments())));
            case Overlaps overlaps -> Mono.error(new Refusal(overlap(overlaps.other())));
            case NoSuchSchedule none -> Mono.error(new Refusal(ProblemCode.SCHEDULE_NOT_FOUND));
        };
    }

    private static Mono<ServerResponse> answer(ServerResponse.BodyBuilder response, Mono<PublishOutcome> outcome) {
        return outcome.map(ScheduleHandler::figures).flatMap(response::bodyValue);
    }

    private static URI schedulesOf(long doctorId) {
        return URI.create("/api/admin/doctors/" + doctorId + "/schedules");
    }

    private static Published figures(PublishOutcome outcome) {
        return switch (outcome) {
            case Published published -> published;
            case Overlap overlap -> throw new Refusal(overlap(overlap.other()));
            case NoSuchDoctor none -> throw new Refusal(ProblemCode.DOCTOR_NOT_FOUND);
        };
    }

    private static Problem overlap(Schedule other) {
        WorkingHours hours = other.timetable().hours();
        return Problem.of(ProblemCode.SCHEDULE_OVERLAP)
                .with("scheduleId", other.id())
                .with("startTime", hours.hours().startTime())
                .with("endTime", hours.hours().endTime());
    }

    private static long id(ServerRequest request) {
        Input path = Input.path(request);
        long id = path.id("id");
        path.complete();
        return id;
    }
}
