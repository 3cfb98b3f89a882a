package dev.daybreak.schedule;

import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.sql.Detached;
import dev.daybreak.platform.web.Input;
import java.net.URI;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The doctors over HTTP. */
class DoctorHandler {

    private final Doctors doctors;

    DoctorHandler(Doctors doctors) {
        this.doctors = doctors;
    }

    Mono<ServerResponse> add(ServerRequest request) {
        return Input.body(request)
                .map(DoctorRequest::read)
                .flatMap(doctor -> Detached.run(doctors.add(doctor.name(), doctor.specialty())))
                .flatMap(doctor -> ServerResponse.created(URI.create("/api/doctors/" + doctor.id()))
                        .bodyValue(doctor));
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
