package dev.daybreak.booking;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.web.Input;
import java.util.List;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;

/** The body of a booking. */
record BookAppointmentRequest(long slotId, long patientId) {

    static final String KEY_HEADER = "Idempotency-Key";

    /** Emits what the request asks for, or a refusal that names what is wrong with it. */
    static Mono<BookingRequest> read(ServerRequest request) {
        IdempotencyKey key = key(request);
        return Input.body(request)
                .map(BookAppointmentRequest::from)
                .map(body -> new BookingRequest(body.slotId, body.patientId, key));
    }

    private static BookAppointmentRequest from(Input input) {
        var body = new BookAppointmentRequest(input.id("slotId"), input.id("patientId"));
        input.complete();
        return body;
    }

    private static IdempotencyKey key(ServerRequest request) {
        List<String> sent = request.headers().header(KEY_HEADER);
        if (sent.isEmpty()) {
            throw new Refusal(ProblemCode.IDEMPOTENCY_KEY_REQUIRED);
        }
        if (sent.size() > 1) {
            throw new Refusal(Problem.invalid(KEY_HEADER, "repeated"));
        }
        if (!IdempotencyKey.isValid(sent.getFirst())) {
            throw new Refusal(Problem.invalid(KEY_HEADER, "idempotency-key"));
        }
        return new IdempotencyKey(sent.getFirst());
    }
}
