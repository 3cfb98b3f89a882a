package dev.daybreak.schedule;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.web.Input;
import dev.daybreak.schedule.AppointmentsInTheWay.InTheWay;
import dev.daybreak.schedule.ClosureOutcome.Affects;
import dev.daybreak.schedule.ClosureOutcome.Closed;
import dev.daybreak.schedule.ClosureOutcome.NoSuchClosure;
import dev.daybreak.schedule.ClosureOutcome.NoSuchDoctor;
import dev.daybreak.schedule.ClosureRequest.Wish;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.Temporal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The closures over HTTP. */
class ClosureHandler {

    private static final int MOST_SHOWN = 200;

    private final Doctors doctors;
    private final Closures closures;
    private final Closing closing;
    private final ClinicSettings clinic;

    ClosureHandler(Doctors doctors, Closures closures, Closing closing, ClinicSettings clinic) {
        this.doctors = doctors;
        this.closures = closures;
        this.closing = closing;
        this.clinic = clinic;
    }

    Mono<ServerResponse> closeDoctor(ServerRequest request) {
        long doctorId = id(request);
        return body(request)
                .flatMap(wish ->
                        closing.close(doctorId, wish, Actor.of(request)).flatMap(outcome -> answer(outcome, wish)));
    }

    Mono<ServerResponse> closeClinic(ServerRequest request) {
        return body(request)
                .flatMap(
                        wish -> closing.close(null, wish, Actor.of(request)).flatMap(outcome -> answer(outcome, wish)));
    }

    Mono<ServerResponse> change(ServerRequest request) {
        long closureId = id(request);
        return body(request)
                .flatMap(wish ->
                        closing.change(closureId, wish, Actor.of(request)).flatMap(outcome -> answer(outcome, wish)));
    }

    Mono<ServerResponse> reopen(ServerRequest request) {
        return closing.reopen(id(request), Actor.of(request))
                .flatMap(existed -> existed
                        ? ServerResponse.noContent().build()
                        : Mono.error(new Refusal(ProblemCode.CLOSURE_NOT_FOUND)));
    }

    Mono<ServerResponse> ofDoctor(ServerRequest request) {
        Input input = Input.pathAndQuery(request);
        long doctorId = input.id("id");
        return list(input, doctorId)
                .flatMap(found -> doctors.requireKnown(doctorId, found))
                .flatMap(this::views);
    }

    Mono<ServerResponse> ofClinic(ServerRequest request) {
        return list(Input.query(request), null).flatMap(this::views);
    }

    private Mono<List<Closure>> list(Input input, @Nullable Long doctorId) {
        Temporal from = input.optionalDayOrInstant("from");
        Temporal to = input.optionalDayOrInstant("to");
        input.complete();
        Instant start = from == null ? null : ClosureRange.start(from, clinic);
        Instant end = to == null ? null : ClosureRange.end(to, clinic);
        return closures.list(doctorId, start, end);
    }

    private Mono<ServerResponse> views(List<Closure> found) {
        return ServerResponse.ok()
                .bodyValue(found.stream()
                        .map(closure -> ClosureView.of(closure, clinic))
                        .toList());
    }

    private Mono<Wish> body(ServerRequest request) {
        return Input.body(request).map(input -> ClosureRequest.read(input, clinic));
    }

    private Mono<ServerResponse> answer(ClosureOutcome outcome, Wish wish) {
        return switch (outcome) {
            case Closed closed -> answer(closed, wish.terms().dryRun());
            case Affects affects ->
                Mono.error(new Refusal(affected(ProblemCode.CLOSURE_AFFECTS_APPOINTMENTS, affects.appointments())));
            case NoSuchDoctor none -> Mono.error(new Refusal(ProblemCode.DOCTOR_NOT_FOUND));
            case NoSuchClosure none -> Mono.error(new Refusal(ProblemCode.CLOSURE_NOT_FOUND));
        };
    }

    private Mono<ServerResponse> answer(Closed closed, boolean dryRun) {
        Closure closure = closed.closure();
        HttpStatus status = closed.isNew() && !dryRun ? HttpStatus.CREATED : HttpStatus.OK;
        ServerResponse.BodyBuilder response = ServerResponse.status(status);
        if (status == HttpStatus.CREATED) {
            response.location(listOf(closure));
        }
        return response.bodyValue(ClosureView.of(closure, clinic).after(closed.done(), dryRun));
    }

    private static URI listOf(Closure closure) {
        Long doctorId = closure.doctorId();
        return URI.create(doctorId == null ? "/api/admin/closures" : "/api/admin/doctors/" + doctorId + "/closures");
    }

    /** Says what is in the way: how many, and the first of them. */
    static Problem affected(ProblemCode code, List<InTheWay> appointments) {
        return Problem.of(code)
                .with("count", appointments.size())
                .with("appointments", appointments.stream().limit(MOST_SHOWN).toList());
    }

    private static long id(ServerRequest request) {
        Input path = Input.path(request);
        long id = path.id("id");
        path.complete();
        return id;
    }
}
