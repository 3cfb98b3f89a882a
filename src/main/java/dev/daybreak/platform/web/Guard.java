package dev.daybreak.platform.web;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Access;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.security.Callers;
import dev.daybreak.platform.security.Owner;
import dev.daybreak.platform.security.Ownership;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lets a handler see only requests that its route's rule allows, and tells it who makes them: {@link Actor#of}. The one place
 * where that is decided; no handler has to remember it.
 */
final class Guard {

    private final Callers callers;

    Guard(Callers callers) {
        this.callers = callers;
    }

    HandlerFunction<ServerResponse> around(Access access, HandlerFunction<ServerResponse> handler) {
        if (access instanceof Access.Everybody) {
            return handler;
        }
        return request -> {
            Actor known = callers.known(request.exchange());
            return known == null
                    ? callers.identify(request.exchange()).flatMap(actor -> admit(actor, access, request, handler))
                    : admit(known, access, request, handler);
        };
    }

    private Mono<ServerResponse> admit(
            Actor actor, Access access, ServerRequest request, HandlerFunction<ServerResponse> handler) {
        request.attributes().put(Actor.ATTRIBUTE, actor);
        if (actor.isAnonymous()) {
            return handler.handle(request);
        }
        if (actor.isStranger() && !(access instanceof Access.Everybody)) {
            return Mono.error(callers.unknown(request.exchange()));
        }
        return switch (access) {
            case Access.Everybody everybody -> handler.handle(request);
            case Access.SignedIn signedIn -> handler.handle(request);
            case Access.Staff staff -> handleIf(actor.isStaff(), request, handler);
            case Access.Admin admin -> handleIf(actor.isAdmin(), request, handler);
            case Access.PatientInPath patient ->
                handleIf(actor.isStaff() || actor.isPatient(id(request, patient.variable())), request, handler);
            case Access.DoctorInPath doctor ->
                handleIf(actor.isStaff() || actor.isDoctor(id(request, doctor.variable())), request, handler);
            case Access.PatientInBody patient ->
                actor.isStaff()
                        ? handler.handle(request)
                        : forThemselves(actor.patientId(), patient.field(), request, handler);
            case Access.OwnerInPath owner ->
                actor.isStaff()
                        ? handler.handle(request)
                        : handleIfOwned(
                                owner.ownership(),
                                id(request, owner.variable()),
                                actor::owns,
                                owner.ownership().unknown(),
                                request,
                                handler);
            case Access.DoctorOfInPath doctor -> {
                if (actor.isStaff()) {
                    yield handler.handle(request);
                }
                yield actor.doctorId() == null
                        ? forbidden()
                        : handleIfOwned(
                                doctor.ownership(),
                                id(request, doctor.variable()),
                                owner -> owner.doctorId() != null && actor.isDoctor(owner.doctorId()),
                                ProblemCode.FORBIDDEN,
                                request,
                                handler);
            }
        };
    }

    private static Mono<ServerResponse> handleIf(
            boolean allowed, ServerRequest request, HandlerFunction<ServerResponse> handler) {
        return allowed ? handler.handle(request) : forbidden();
    }

    private static <T> Mono<T> forbidden() {
        return Mono.error(new Refusal(ProblemCode.FORBIDDEN));
    }

    private static Mono<ServerResponse> handleIfOwned(
            Ownership ownership,
            long id,
            Predicate<Owner> theirs,
            ProblemCode otherwise,
            ServerRequest request,
            HandlerFunction<ServerResponse> handler) {
        return ownership
                .find()
                .apply(id)
                .map(theirs::test)
                .switchIfEmpty(Mono.error(() -> new Refusal(ownership.unknown())))
                .flatMap(allowed -> allowed ? handler.handle(request) : Mono.error(new Refusal(otherwise)));
    }

    /** The body is read here and kept for the handler, which so cannot see another patient's id than was judged. */
    private static Mono<ServerResponse> forThemselves(
            @Nullable Long patientId, String field, ServerRequest request, HandlerFunction<ServerResponse> handler) {
        if (patientId == null) {
            return forbidden();
        }
        return JsonBody.read(request).flatMap(body -> {
            fillIn(patientId, field, body);
            JsonBody.keep(request, body);
            return handler.handle(request);
        });
    }

    private static void fillIn(long patientId, String field, ObjectNode body) {
        JsonNode sent = body.get(field);
        if (sent == null || sent.isNull()) {
            body.put(field, patientId);
        } else if (!sent.isIntegralNumber()) {
            throw new Refusal(Problem.invalid(field, "type.integer"));
        } else if (!sent.canConvertToLong() || sent.longValue() != patientId) {
            throw new Refusal(ProblemCode.FORBIDDEN);
        }
    }

    /** As handlers read it, so that what is wrong with it is said in the same way. */
    private static long id(ServerRequest request, String variable) {
        Input path = Input.path(request);
        long id = path.id(variable);
        path.complete();
        return id;
    }
}
