package dev.daybreak.platform.problem;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client is told when it does not get what it asked for; rendered by {@link ProblemResponses}.
 *
 * @param violations empty unless fields of the request are wrong
 * @param properties members the code promises, such as {@code remaining}; instants become UTC with Z
 * @param retryAfter when trying again makes sense, sent as {@code Retry-After} in whole seconds
 * @param args what the detail message mentions
 */
public record Problem(
        ProblemCode code,
        List<Violation> violations,
        Map<String, Object> properties,
        @Nullable Duration retryAfter,
        List<Object> args) {

    public static Problem of(ProblemCode code, Object... args) {
        return new Problem(code, List.of(), Map.of(), null, List.of(args));
    }

    public static Problem invalid(List<Violation> violations) {
        return new Problem(ProblemCode.VALIDATION_FAILED, List.copyOf(violations), Map.of(), null, List.of());
    }

    public static Problem invalid(String field, String rule, Object... args) {
        return invalid(List.of(Violation.of(field, rule, args)));
    }

    public Problem with(String name, Object value) {
        var extended = new LinkedHashMap<>(properties);
        extended.put(name, value);
        return new Problem(code, violations, Collections.unmodifiableMap(extended), retryAfter, args);
    }

    public Problem retryAfter(Duration delay) {
        return new Problem(code, violations, properties, delay, args);
    }
}
