package dev.daybreak.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be said of the pages' files by reading them. */
class WebFilesTests {

    private static final Pattern KEY = Pattern.compile("^  '([^']+)':", Pattern.MULTILINE);
    private static final Pattern USED = Pattern.compile("\\bt\\('([^']+)'");
    private static final Pattern IMPORT = Pattern.compile("from '([^']+)'");
    private static final Pattern PRELOAD = Pattern.compile("modulepreload\" href=\"/assets/\\{\\{version}}/([^\"]+)\"");

    private static WebFiles files;

    @BeforeAll
    static void read() throws IOException {
        files = WebFiles.fromClassPath();
    }

    private static String text(String name) {
        return new String(Objects.requireNonNull(files.find(name), name).bytes(), StandardCharsets.UTF_8);
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The folders that have texts. */
    static Stream<String> folders() throws IOException {
        return WebFiles.fromClassPath().files().keySet().stream()
                .filter(name -> name.endsWith("/texts.en.js"))
                .map(name -> name.substring(0, name.indexOf('/')));
    }

    /** Languages without a singular of their own leave it out. */
    private static Set<String> keys(String folder, String language) {
        return all(KEY, text(folder + "/texts." + language + ".js")).stream()
                .filter(key -> !key.endsWith(".one"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @MethodSource("folders")
    void sayTheSameInEveryLanguage(String folder) {
        assertThat(keys(folder, "ko")).isEqualTo(keys(folder, "en"));
        assertThat(keys(folder, "ja")).isEqualTo(keys(folder, "en"));
    }

    @ParameterizedTest
    @MethodSource("folders")
    void haveATextForWhateverTheySay(String folder) {
        Set<String> known = new TreeSet<>(keys(folder, "en"));
        known.addAll(keys("shared", "en"));

        assertThat(files.files().keySet())
                .filteredOn(name -> name.startsWith(folder + "/") && name.endsWith(".js"))
                .allSatisfy(name -> assertThat(known).containsAll(all(USED, text(name))));
    }

    @Test
    void preloadEveryModuleOfThePatientsPage() {
        Set<String> needed = new LinkedHashSet<>();
        follow("patient/main.js", needed);
        needed.remove("patient/main.js");
        needed.addAll(Set.of("shared/texts.{{lang}}.js", "patient/texts.{{lang}}.js"));

        assertThat(all(PRELOAD, text("index.html"))).containsExactlyInAnyOrderElementsOf(needed);
    }

    private static void follow(String module, Set<String> found) {
        if (found.add(module)) {
            all(IMPORT, text(module))
                    .forEach(relative -> follow(
                            Path.of(module).resolveSibling(relative).normalize().toString(), found));
        }
    }

    @Test
    void changeTheirVersionWithAnyOfThem() {
        assertThat(files.version()).matches("[0-9a-f]{16}");
        assertThat(files.files().values()).extracting(WebFiles.WebFile::etag).doesNotHaveDuplicates();
    }
}
