package dev.daybreak.platform.problem;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.ResourceBundle.Control;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The texts of problems in each language the service speaks.
 *
 * <p>Placeholders {@code {0}} are filled as they are, not through MessageFormat: it would print the id 1001 as "1,001",
 * swallow apostrophes and parse its pattern on every refusal.
 */
final class ProblemMessages {

    static final List<Locale> LANGUAGES = List.of(Locale.ENGLISH, Locale.KOREAN, Locale.JAPANESE);

    private final Map<Locale, ResourceBundle> bundles = LANGUAGES.stream()
            .collect(Collectors.toUnmodifiableMap(
                    language -> language,
                    language -> ResourceBundle.getBundle(
                            "problems.messages", language, Control.getNoFallbackControl(Control.FORMAT_PROPERTIES))));

    /** The best language for an Accept-Language header; English when none fits or the header is broken. */
    Locale language(@Nullable String acceptLanguage) {
        if (acceptLanguage == null || acceptLanguage.isBlank()) {
            return Locale.ENGLISH;
        }
        try {
            Locale found = Locale.lookup(Locale.LanguageRange.parse(acceptLanguage), LANGUAGES);
            return found == null ? Locale.ENGLISH : found;
        } catch (IllegalArgumentException e) {
            return Locale.ENGLISH;
        }
    }

    boolean has(Locale language, String key) {
        return bundle(language).containsKey(key);
    }

    String title(Locale language, ProblemCode code) {
        return bundle(language).getString("problem." + code + ".title");
    }

    String detail(Locale language, Problem problem) {
        return fill(bundle(language).getString("problem." + problem.code() + ".detail"), problem.args());
    }

    String violation(Locale language, Violation violation) {
        String key = "violation." + violation.rule();
        // A rule without a text must not turn a 400 into a 500.
        String known = has(language, key) ? key : "violation.invalid";
        return fill(bundle(language).getString(known), violation.args());
    }

    private ResourceBundle bundle(Locale language) {
        ResourceBundle bundle = bundles.get(language);
        if (bundle == null) {
            throw new IllegalArgumentException("No messages in " + language);
        }
        return bundle;
    }

    private static String fill(String pattern, List<Object> args) {
        String text = pattern;
        for (int i = 0; i < args.size(); i++) {
            text = text.replace("{" + i + "}", String.valueOf(args.get(i)));
        }
        return text;
    }
}
