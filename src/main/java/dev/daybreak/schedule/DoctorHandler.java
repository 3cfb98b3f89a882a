package dev.daybreak.schedule;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.trail.AuditTrail;
import dev.daybreak.platform.trail.Deed;
import dev.daybreak.platform.web.Input;
import java.net.URI;
import java.util.Map;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The doctors over HTTP. */
class DoctorHandler {

    private final Doctors doctors;
    private final AuditTrail trail;
    private final TransactionalOperator transaction;

    DoctorHandler(Doctors doctors, AuditTrail trail, TransactionalOperator transaction) {
        this.doctors = doctors;
        this.trail = trail;
        this.transaction = transaction;
    }

    Mono<ServerResponse> add(ServerRequest request) {
        return Input.body(request)
                .map(DoctorRequest::read)
                .flatMap(doctor -> Detached.run(add(doctor, Actor.of(request))))
                .flatMap(doctor -> ServerResponse.created(URI.create("/api/doctors/" + doctor.id()))
                        .bodyValue(doctor));
    }

    private Mono<Doctor> add(DoctorRequest asked, Actor actor) {
        return doctors.add(asked.name(), asked.specialty())
                .flatMap(doctor -> trail.record(
                                actor,
                                Deed.of("doctor.add", "doctor", doctor.id())
                                        .to(Map.of("specialty", doctor.specialty())))
                        .thenReturn(doctor))
                .as(transaction::transactional);
    }

    Mono<ServerResponse> list(ServerRequest request) {
        return doctors.list(DoctorQuery.read(Input.query(request)))
                .flatMap(found -> ServerResponse.ok().bodyValue(found));
    }

    Mono<ServerResponse> specialties(ServerRequest request) {
        return doctors.specialties().flatMap(found -> ServerResponse.ok().bodyValue(found));
    }

    Mono<ServerResponse> get(ServerRequest request) {
        Input path = Input.path(request);
        long id = path.id("id");
        path.complete();
        return doctors.find(id)
                .switchIfEmpty(Mono.error(() -> new Refusal(ProblemCode.DOCTOR_NOT_FOUND)))
                .flatMap(doctor -> ServerResponse.ok().bodyValue(doctor));
    }
}
