package dev.daybreak.platform.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemMessagesTests {

    private static final Pattern RULE_OF_A_VALUE = Pattern.compile("(?:new Malformed|\\brefusal)\\(([^;{]*);");
    private static final Pattern LITERAL = Pattern.compile("\"([a-z.-]+)\"");
    private static final Pattern RULE_OF_A_FIELD =
            Pattern.compile("(?:\\bcheck|\\bnote|Violation\\.of|Problem\\.invalid)\\("
                    + "[^;{]*?(?:\"[^\"]*\"|\\bfield|\\bname|\\bplace),\\s*\"([a-z.-]+)\"");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\d}");

    private final ProblemMessages messages = new ProblemMessages();

    @ParameterizedTest
    @EnumSource
    void saysEveryProblemInEveryLanguage(ProblemCode code) {
        for (Locale language : ProblemMessages.LANGUAGES) {
            assertThat(messages.title(language, code)).isNotBlank();
            assertThat(messages.detail(language, Problem.of(code))).isNotBlank();
        }
    }

    @Test
    void saysEveryRuleOfTheSourcesInEveryLanguage() throws IOException {
        Set<String> rules = rulesOfTheSources();
        assertThat(rules).contains("required", "unknown", "range", "offset-required", "json", "type.object");
        for (Locale language : ProblemMessages.LANGUAGES) {
            assertThat(rules).allMatch(rule -> messages.has(language, "violation." + rule), "in " + language);
        }
    }

    @Test
    void hasTheSameTextsWithTheSamePlaceholdersInEveryLanguage() {
        ResourceBundle english = ResourceBundle.getBundle("problems.messages", Locale.ENGLISH);
        for (Locale language : ProblemMessages.LANGUAGES) {
            ResourceBundle other = ResourceBundle.getBundle("problems.messages", language);
            assertThat(other.keySet()).isEqualTo(english.keySet());
            for (String key : english.keySet()) {
                assertThat(placeholders(other.getString(key))).as(key).isEqualTo(placeholders(english.getString(key)));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ko                      | ko
                    ko-KR,ko;q=0.9,en;q=0.8 | ko
                    ja-JP                   | ja
                    fr,ja;q=0.5             | ja
                    fr                      | en
                    *                       | en
                    ;;q=nonsense            | en
                                            | en
                    """)
    void choosesTheBestLanguage(String acceptLanguage, String language) {
        assertThat(messages.language(acceptLanguage)).isEqualTo(Locale.of(language));
    }

    @Test
    void printsNumbersAsTheyAre() {
        assertThat(messages.violation(Locale.ENGLISH, Violation.of("capacity", "range", 1, 10_000)))
                .isEqualTo("must be between 1 and 10000");
    }

    @Test
    void saysSomethingEvenOfARuleItDoesNotKnow() {
        assertThat(messages.violation(Locale.ENGLISH, Violation.of("capacity", "never-heard-of")))
                .isEqualTo("is not valid");
    }

    private static Set<String> rulesOfTheSources() throws IOException {
        var rules = new TreeSet<String>();
        try (var files = Files.walk(Path.of("src/main/java"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                String source = Files.readString(file);
                collect(RULE_OF_A_FIELD, source, rules);
                RULE_OF_A_VALUE.matcher(source).results().forEach(call -> collect(LITERAL, call.group(1), rules));
            }
        }
        return rules;
    }

    private static Set<String> placeholders(String text) {
        var placeholders = new TreeSet<String>();
        PLACEHOLDER.matcher(text).results().forEach(found -> placeholders.add(found.group()));
        return placeholders;
    }

    private static void collect(Pattern pattern, String text, Set<String> found) {
        pattern.matcher(text).results().forEach(match -> found.add(match.group(1)));
    }
}
