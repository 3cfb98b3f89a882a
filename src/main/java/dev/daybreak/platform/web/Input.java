package dev.daybreak.platform.web;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.problem.Violation;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.server.ServerRequest;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields a client sent, read one by one. A getter that finds its field wrong notes a violation and returns something
 * harmless; {@link #complete()} then refuses the request with all of them at once, fields nobody asked for included.
 * So a value read from here must not be used before {@code complete()} has returned.
 *
 * <p>In JSON, null is the same as absent. Not for use by several threads.
 */
public final class Input {

    private final ObjectNode fields;
    private final Values values;
    private final String prefix;
    private final List<Violation> violations;
    private final Set<String> unread = new LinkedHashSet<>();
    private final List<Input> nested = new ArrayList<>();

    private Input(ObjectNode fields, Values values, String prefix, List<Violation> violations) {
        this.fields = fields;
        this.values = values;
        this.prefix = prefix;
        this.violations = violations;
        unread.addAll(fields.propertyNames());
    }

    /**
     * The JSON object in the body. Emits a {@link Refusal} for another media type, for a body that is too large, empty or
     * not a JSON object, and for a field given twice; never empty.
     */
    public static Mono<Input> body(ServerRequest request) {
        return JsonBody.read(request).map(object -> new Input(object, new Values(false), "", new ArrayList<>()));
    }

    /** The query parameters; one given twice or without a value is a violation. */
    public static Input query(ServerRequest request) {
        Input input = textual();
        request.queryParams().forEach(input::addParameter);
        return input;
    }

    /** The path variables, of which a handler may leave some unread. */
    public static Input path(ServerRequest request) {
        Input input = textual();
        addPath(input, request);
        return input;
    }

    /** Path variables and query parameters together, so that one answer names what is wrong with either. */
    public static Input pathAndQuery(ServerRequest request) {
        Input input = query(request);
        addPath(input, request);
        return input;
    }

    /** The named headers; one that is sent twice is a violation. */
    public static Input headers(ServerRequest request, String... names) {
        Input input = textual();
        for (String name : names) {
            List<String> sent = request.headers().header(name);
            if (!sent.isEmpty()) {
                input.addParameter(name, sent);
                input.unread.remove(name);
            }
        }
        return input;
    }

    private static Input textual() {
        return new Input(JsonNodeFactory.instance.objectNode(), new Values(true), "", new ArrayList<>());
    }

    private static void addPath(Input input, ServerRequest request) {
        for (Map.Entry<String, String> variable : request.pathVariables().entrySet()) {
            input.fields.put(variable.getKey(), variable.getValue());
        }
    }

    private void addParameter(String name, List<String> sent) {
        String value = sent.isEmpty() ? null : sent.getFirst();
        if (sent.size() > 1) {
            note(name, "repeated");
        } else if (value == null || value.isBlank()) {
            note(name, "required");
        } else {
            fields.put(name, value);
            unread.add(name);
        }
    }

    /** A whole number of at least 1. */
    public long id(String field) {
        return required(field, values::id, 1L);
    }

    public @Nullable Long optionalId(String field) {
        return optional(field, values::id);
    }

    public @Nullable Long optionalLong(String field) {
        return optional(field, values::whole);
    }

    public int integer(String field, int min, int max) {
        return required(field, node -> values.integer(node, min, max), min);
    }

    public int integer(String field, int min, int max, int absent) {
        return orElse(optional(field, node -> values.integer(node, min, max)), absent);
    }

    /** Stripped, not blank, without control characters; the length counts code points. */
    public String text(String field, int maxLength) {
        return required(field, node -> values.text(node, maxLength), "");
    }

    public @Nullable String optionalText(String field, int maxLength) {
        return optional(field, node -> values.text(node, maxLength));
    }

    public LocalDate date(String field) {
        return required(field, values::date, LocalDate.EPOCH);
    }

    public @Nullable LocalDate optionalDate(String field) {
        return optional(field, values::date);
    }

    /** Minutes since midnight of {@code HH:mm}, where 24:00 is the end of the day, 1440. */
    public int minuteOfDay(String field) {
        return required(field, values::minuteOfDay, 0);
    }

    /** A point in time, written with Z or an offset. */
    public Instant instant(String field) {
        return required(field, values::instant, Instant.EPOCH);
    }

    public @Nullable Instant optionalInstant(String field) {
        return optional(field, values::instant);
    }

    public ZoneId zone(String field, ZoneId absent) {
        return orElse(optional(field, values::zone), absent);
    }

    public <E extends Enum<E>> E choice(String field, Class<E> type) {
        return required(field, node -> values.choice(node, type), type.getEnumConstants()[0]);
    }

    public <E extends Enum<E>> E choice(String field, Class<E> type, E absent) {
        return orElse(optional(field, node -> values.choice(node, type)), absent);
    }

    public <E extends Enum<E>> @Nullable E optionalChoice(String field, Class<E> type) {
        return optional(field, node -> values.choice(node, type));
    }

    /** At least one weekday. */
    public Set<DayOfWeek> weekdays(String field) {
        return required(field, values::weekdays, Set.of(DayOfWeek.MONDAY));
    }

    public boolean flag(String field, boolean absent) {
        return orElse(optional(field, values::flag), absent);
    }

    /** The objects of an array, empty when it is absent; their violations and unread fields count as this input's. */
    public List<Input> objects(String field, int maxCount) {
        JsonNode array = take(field);
        if (array == null) {
            return List.of();
        }
        if (!array.isArray()) {
            note(field, "type.array");
            return List.of();
        }
        if (array.size() > maxCount) {
            note(field, "too-many", maxCount);
            return List.of();
        }
        var objects = new ArrayList<Input>();
        for (int i = 0; i < array.size(); i++) {
            String place = field + "[" + i + "]";
            if (array.get(i) instanceof ObjectNode object) {
                objects.add(new Input(object, values, prefix + place + ".", violations));
            } else {
                note(place, "type.object");
            }
        }
        nested.addAll(objects);
        return objects;
    }

    /** Whether the client gave the field a value at all. */
    public boolean has(String field) {
        return fields.hasNonNull(field);
    }

    /** Notes a violation unless {@code ok}; for rules over several fields. The rule names a {@code violation.<rule>} message. */
    public void check(boolean ok, String field, String rule, Object... args) {
        if (!ok) {
            note(field, rule, args);
        }
    }

    /** Whether a field has been found wrong so far, so that a rule over several is not judged on harmless values. */
    public boolean isSound(String... names) {
        return violations.stream()
                .noneMatch(violation -> Set.of(names)
                        .contains(
                                violation.field().startsWith(prefix)
                                        ? violation.field().substring(prefix.length())
                                        : ""));
    }

    /** Throws a {@link Refusal} naming every violation, if there is one. */
    public void complete() {
        noteUnread();
        if (!violations.isEmpty()) {
            throw new Refusal(Problem.invalid(violations));
        }
    }

    private void noteUnread() {
        unread.forEach(field -> note(field, "unknown"));
        unread.clear();
        nested.forEach(Input::noteUnread);
    }

    private <T> T required(String field, Function<JsonNode, T> value, T harmless) {
        if (!has(field)) {
            unread.remove(field);
            if (isSound(field)) {
                note(field, "required");
            }
            return harmless;
        }
        return orElse(optional(field, value), harmless);
    }

    private <T> @Nullable T optional(String field, Function<JsonNode, T> value) {
        JsonNode node = take(field);
        if (node == null) {
            return null;
        }
        try {
            return value.apply(node);
        } catch (Malformed e) {
            note(field, e.rule(), e.args());
            return null;
        }
    }

    private @Nullable JsonNode take(String field) {
        unread.remove(field);
        JsonNode node = fields.get(field);
        return node == null || node.isNull() ? null : node;
    }

    private void note(String field, String rule, Object... args) {
        violations.add(Violation.of(prefix + field, rule, args));
    }

    private static <T> T orElse(@Nullable T value, T other) {
        return value == null ? other : value;
    }
}
