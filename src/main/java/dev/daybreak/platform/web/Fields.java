package dev.daybreak.platform.web;

import dev.daybreak.platform.problem.Violation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The raw fields of one object: which were read, and what was found wrong with them, those of nested objects included. */
final class Fields {

    private final ObjectNode fields;
    private final String prefix;
    private final List<Violation> violations;
    private final Set<String> unread;
    private final List<Fields> nested = new ArrayList<>();

    private Fields(ObjectNode fields, String prefix, List<Violation> violations) {
        this.fields = fields;
        this.prefix = prefix;
        this.violations = violations;
        this.unread = new LinkedHashSet<>(fields.propertyNames());
    }

    static Fields of(ObjectNode fields) {
        return new Fields(fields, "", new ArrayList<>());
    }

    Fields nested(ObjectNode object, String place) {
        var inner = new Fields(object, prefix + place + ".", violations);
        nested.add(inner);
        return inner;
    }

    /** Adds a field that may stay unread. */
    void put(String field, String value) {
        fields.put(field, value);
    }

    /** Adds a field that somebody has to read. */
    void putUnread(String field, String value) {
        fields.put(field, value);
        unread.add(field);
    }

    boolean has(String field) {
        return fields.hasNonNull(field);
    }

    /** The value of a field, which counts as read from now on; null if it is absent or null. */
    @Nullable
    JsonNode take(String field) {
        unread.remove(field);
        JsonNode node = fields.get(field);
        return node == null || node.isNull() ? null : node;
    }

    void note(String field, String rule, Object... args) {
        violations.add(Violation.of(prefix + field, rule, args));
    }

    boolean isSound(String... names) {
        return Stream.of(names)
                .noneMatch(name -> violations.stream()
                        .anyMatch(violation -> violation.field().equals(prefix + name)));
    }

    /** Every violation, with those of fields nobody has read. */
    List<Violation> violations() {
        noteUnread();
        return violations;
    }

    private void noteUnread() {
        unread.forEach(field -> note(field, "unknown"));
        unread.clear();
        nested.forEach(Fields::noteUnread);
    }
}
