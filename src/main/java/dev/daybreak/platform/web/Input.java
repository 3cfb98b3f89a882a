package dev.daybreak.platform.web;

import dev.daybreak.platform.problem.Problem;
import dev.daybreak.platform.problem.Refusal;
import dev.daybreak.platform.problem.Violation;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.List;
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

    private final Fields fields;
    private final Values values;

    private Input(Fields fields, Values values) {
        this.fields = fields;
        this.values = values;
    }

    /**
     * The JSON object in the body. Emits a {@link Refusal} for another media type, for a body that is too large, empty or
     * not a JSON object, and for a field given twice; never empty.
     */
    public static Mono<Input> body(ServerRequest request) {
        return JsonBody.read(request).map(object -> new Input(Fields.of(object), new Values(false)));
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
            }
        }
        return input;
    }

    private static Input textual() {
        return new Input(Fields.of(JsonNodeFactory.instance.objectNode()), new Values(true));
    }

    private static void addPath(Input input, ServerRequest request) {
        request.pathVariables().forEach(input.fields::put);
    }

    private void addParameter(String name, List<String> sent) {
        String value = sent.isEmpty() ? null : sent.getFirst();
        if (sent.size() > 1) {
            fields.note(name, "repeated");
        } else if (value == null || value.isBlank()) {
            fields.note(name, "required");
        } else {
            fields.putUnread(name, value);
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

    /** A {@link LocalDate}, or an {@link Instant} written with Z or an offset. */
    public Temporal dayOrInstant(String field) {
        return required(field, values::dayOrInstant, LocalDate.EPOCH);
    }

    public @Nullable Temporal optionalDayOrInstant(String field) {
        return optional(field, values::dayOrInstant);
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
        JsonNode array = fields.take(field);
        if (array == null) {
            return List.of();
        }
        if (!array.isArray()) {
            fields.note(field, "type.array");
            return List.of();
        }
        if (array.size() > maxCount) {
            fields.note(field, "too-many", maxCount);
            return List.of();
        }
        var objects = new ArrayList<Input>();
        for (int i = 0; i < array.size(); i++) {
            String place = field + "[" + i + "]";
            if (array.get(i) instanceof ObjectNode object) {
                objects.add(new Input(fields.nested(object, place), values));
            } else {
                fields.note(place, "type.object");
            }
        }
        return objects;
    }

    /** Whether the client gave the field a value at all. */
    public boolean has(String field) {
        return fields.has(field);
    }

    /** Notes a violation unless {@code ok}; for rules over several fields. The rule names a {@code violation.<rule>} message. */
    public void check(boolean ok, String field, String rule, Object... args) {
        if (!ok) {
            fields.note(field, rule, args);
        }
    }

    /** Whether nothing was found wrong with these fields, so that a rule over several is not judged on harmless values. */
    public boolean isSound(String... names) {
        return fields.isSound(names);
    }

    /** Throws a {@link Refusal} naming every violation, if there is one. */
    public void complete() {
        List<Violation> violations = fields.violations();
        if (!violations.isEmpty()) {
            throw new Refusal(Problem.invalid(violations));
        }
    }

    private <T> T required(String field, Function<JsonNode, T> value, T harmless) {
        // A parameter given twice or without a value has been noted already, and is not there to be read.
        if (fields.take(field) == null && fields.isSound(field)) {
            fields.note(field, "required");
        }
        return orElse(optional(field, value), harmless);
    }

    private <T> @Nullable T optional(String field, Function<JsonNode, T> value) {
        JsonNode node = fields.take(field);
        if (node == null) {
            return null;
        }
        try {
            return value.apply(node);
        } catch (Malformed e) {
            fields.note(field, e.rule(), e.args());
            return null;
        }
    }

    private static <T> T orElse(@Nullable T value, T other) {
        return value == null ? other : value;
    }
}
