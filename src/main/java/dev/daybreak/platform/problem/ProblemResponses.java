package dev.daybreak.platform.problem;

import dev.daybreak.platform.answer.BytesAnswer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes problems as {@code application/problem+json}, whatever the client accepts, in English, Korean or Japanese by
 * its Accept-Language.
 */
public class ProblemResponses {

    // Not the application's mapper: how problems look must not depend on settings made for other answers.
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final Duration SOON = Duration.ofSeconds(1);

    private final ProblemMessages messages;
    private final Clock clock;
    private final Map<ProblemCode, Counter> counts = new EnumMap<>(ProblemCode.class);

    ProblemResponses(ProblemMessages messages, Clock clock, MeterRegistry meters) {
        this.messages = messages;
        this.clock = clock;
        for (ProblemCode code : ProblemCode.values()) {
            counts.put(
                    code,
                    Counter.builder("daybreak.problems")
                            .description("Answers that refused or failed a request, by the code they carried")
                            .baseUnit("answers")
                            .tag("code", code.name())
                            .register(meters));
        }
    }

    /** Emits the response, ready to be written. */
    public Mono<ServerResponse> write(ServerRequest request, Problem problem) {
        return Mono.just(answer(request.exchange(), problem));
    }

    /** Writes to the response of the exchange, which must not be committed; headers set before are kept. */
    public Mono<Void> write(ServerWebExchange exchange, Problem problem) {
        return answer(exchange, problem).write(exchange.getResponse());
    }

    private BytesAnswer answer(ServerWebExchange exchange, Problem problem) {
        ServerHttpRequest request = exchange.getRequest();
        Locale language = messages.language(request.getHeaders().getFirst(HttpHeaders.ACCEPT_LANGUAGE));
        byte[] body = JSON.writeValueAsBytes(
                document(problem, language, request.getPath().value()));
        Objects.requireNonNull(counts.get(problem.code())).increment();
        return new BytesAnswer(
                problem.code().status(), headers -> describe(headers, problem, language, body.length), body);
    }

    /** The document as it is sent, for an answer without an exchange. */
    public byte[] bytes(Problem problem, @Nullable String acceptLanguage, String instance) {
        return JSON.writeValueAsBytes(document(problem, messages.language(acceptLanguage), instance));
    }

    /** The members of the document, in the order they are written. */
    public Map<String, Object> document(Problem problem, Locale language, String instance) {
        ProblemCode code = problem.code();
        var document = new LinkedHashMap<String, Object>();
        document.put("type", code.type());
        document.put("title", messages.title(language, code));
        document.put("status", code.status().value());
        document.put("detail", messages.detail(language, problem));
        document.put("instance", instance);
        document.put("code", code.name());
        document.put("timestamp", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
        if (!problem.violations().isEmpty()) {
            document.put("violations", violations(problem.violations(), language));
        }
        document.putAll(problem.properties());
        return document;
    }

    private List<Map<String, Object>> violations(List<Violation> violations, Locale language) {
        return violations.stream()
                .map(violation -> {
                    var member = new LinkedHashMap<String, Object>();
                    member.put("field", violation.field());
                    member.put("rule", violation.rule());
                    member.put("message", messages.violation(language, violation));
                    return (Map<String, Object>) member;
                })
                .toList();
    }

    private void describe(HttpHeaders headers, Problem problem, Locale language, int length) {
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        headers.setContentLength(length);
        headers.setContentLanguage(language);
        Duration retryAfter = retryAfter(problem);
        if (retryAfter != null) {
            headers.set(HttpHeaders.RETRY_AFTER, Long.toString(wholeSeconds(retryAfter)));
        }
    }

    /** Who is told to come back is told when, whether or not somebody thought of it. */
    private static @Nullable Duration retryAfter(Problem problem) {
        int status = problem.code().status().value();
        boolean again = status == 429 || status == 503;
        return problem.retryAfter() == null && again ? SOON : problem.retryAfter();
    }

    private static long wholeSeconds(Duration delay) {
        return Math.max(1, delay.plusSeconds(1).minusNanos(1).toSeconds());
    }
}
