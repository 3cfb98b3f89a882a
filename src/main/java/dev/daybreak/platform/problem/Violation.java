package dev.daybreak.platform.problem;

import java.util.List;

/**
 * One thing that is wrong with one field of a request. The rule names the message {@code violation.<rule>}, which is
 * rendered with the arguments in the client's language.
 *
 * @param field as the client spells it, with its place in the body: {@code breaks[0].startTime}
 */
public record Violation(String field, String rule, List<Object> args) {

    public Violation {
        args = List.copyOf(args);
    }

    public static Violation of(String field, String rule, Object... args) {
        return new Violation(field, rule, List.of(args));
    }
}
