package dev.daybreak.admission;

import dev.daybreak.booking.BookingRequest;
import dev.daybreak.platform.batch.BatchFailures;
import dev.daybreak.platform.batch.BatchLimits;
import dev.daybreak.platform.batch.Batcher;
import dev.daybreak.platform.redis.LuaScripts;
import dev.daybreak.platform.redis.RedisCircuit;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import reactor.core.publisher.Mono;

/** Asks Redis about requests; those that arrive while a call is under way share the next one. */
final class RedisGate {

    @SuppressWarnings("rawtypes")
    private static final RedisScript<List> GATE = LuaScripts.load(RedisGate.class, "gate.lua", List.class);

    private static final BatchLimits LIMITS = new BatchLimits(2, 256, 16_384);

    private final ReactiveStringRedisTemplate redis;
    private final RedisCircuit circuit;
    private final String attempts;
    private final String window;
    private final Batcher<BookingRequest, Verdict> questions;

    RedisGate(
            ReactiveStringRedisTemplate redis, RedisCircuit circuit, AdmissionSettings settings, MeterRegistry meters) {
        this.redis = redis;
        this.circuit = circuit;
        this.attempts = Integer.toString(settings.attempts());
        this.window = Long.toString(settings.window().toMillis());
        // By slot, so that requests for one slot leave in the order in which they came.
        this.questions = new Batcher<>(LIMITS, BatchFailures.FAIL_ALL, BookingRequest::slotId, this::ask)
                .measuredBy(meters, "gate");
    }

    /** Emits the verdict and counts the attempt. Errors when Redis does not answer, and with BUSY when too many ask. */
    Mono<Verdict> ask(BookingRequest request) {
        return questions.submit(request);
    }

    private Mono<List<Verdict>> ask(List<BookingRequest> requests) {
        var keys = new ArrayList<String>(2 * requests.size());
        var arguments = new ArrayList<String>(2 + 2 * requests.size());
        arguments.add(attempts);
        arguments.add(window);
        for (BookingRequest request : requests) {
            keys.add(GateKeys.counter(request.patientId()));
            keys.add(GateKeys.mark(request.slotId()));
            arguments.add(request.key().value());
            arguments.add(GateKeys.holder(request.patientId()));
        }
        return circuit.call(redis.execute(GATE, keys, arguments).next()).map(RedisGate::verdicts);
    }

    private static List<Verdict> verdicts(List<?> answers) {
        return answers.stream().map(answer -> verdict((Long) answer)).toList();
    }

    private static Verdict verdict(long answer) {
        if (answer == 0) {
            return Verdict.ADMITTED;
        }
        return answer < 0 ? Verdict.KNOWN_FULL : new Verdict.TooOften(Duration.ofMillis(answer));
    }
}
