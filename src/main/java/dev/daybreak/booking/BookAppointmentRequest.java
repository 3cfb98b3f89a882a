package dev.daybreak.booking;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.ProblemCode;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.web.Input;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * The body of a booking, for the description of the API: a seat of a slot, or a time of a flexible doctor.
 *
 * @param slotId or else {@code doctorId}, {@code startAt} and {@code minutes}
 */
record BookAppointmentRequest(
        @Nullable Long slotId,
        long patientId,
        @Nullable Long doctorId,
        @Nullable Instant startAt,
        @Nullable Integer minutes) {

    static final String KEY_HEADER = "Idempotency-Key";

    /** Whether the client means a time of a doctor rather than a slot. */
    static boolean isForOpening(Input input) {
        return !input.has("slotId") && (input.has("doctorId") || input.has("startAt") || input.has("minutes"));
    }

    /** What the body asks for; throws a refusal that names what is wrong with it. */
    static BookingRequest read(Input input, IdempotencyKey key) {
        var asked = new BookingRequest(input.id("slotId"), input.id("patientId"), key);
        input.complete();
        return asked;
    }

    /** The key the client has sent; throws a refusal that says what is wrong with it. */
    static IdempotencyKey key(ServerRequest request) {
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
