package dev.daybreak.booking;

import dev.daybreak.platform.security.Actor;
import dev.daybreak.platform.web.Input;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/** The body of a move. */
record MoveAppointmentRequest(long slotId) {

    /** Emits the move that is asked for, or a refusal that names what is wrong. */
    static Mono<Move> read(ServerRequest request) {
        Input path = Input.path(request);
        long appointmentId = path.id("id");
        path.complete();
        String by = Appointment.by(Actor.of(request));
        return Input.body(request)
                .map(MoveAppointmentRequest::from)
                .map(body -> new Move(appointmentId, body.slotId, by));
    }

    private static MoveAppointmentRequest from(Input input) {
        var body = new MoveAppointmentRequest(input.id("slotId"));
        input.complete();
        return body;
    }
}
