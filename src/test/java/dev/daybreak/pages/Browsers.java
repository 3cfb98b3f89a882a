package dev.daybreak.pages;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.daybreak.Needs;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The machine's own Chromium, without a window. Nothing is downloaded. */
final class Browsers implements AutoCloseable {

    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

    private final Playwright playwright;
    private final Browser browser;

    private Browsers(Path chromium) {
        PlaywrightAssertions.setDefaultAssertionTimeout(Window.PATIENCE_MILLIS);
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(chromium)
                        .setArgs(List.of("--no-sandbox", "--disable-gpu", "--font-render-hinting=none")));
    }

    /** Skips the test where there is no Chromium; fails it on CI. */
    static Browsers start() {
        Optional<Path> chromium = installed();
        Needs.that(chromium.isPresent(), "a Chromium on the PATH, such as Debian's package chromium");
        return new Browsers(chromium.orElseThrow());
    }

    private static Optional<Path> installed() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** A window of somebody, with storage of its own. */
    Window window(String baseUrl, long patient, Window.Look look) {
        return new Window(browser, baseUrl, patient, look);
    }

    Window window(String baseUrl, long patient) {
        return window(baseUrl, patient, Window.Look.DESKTOP);
    }

    static Stream<String> languages() {
        return Stream.of("en", "ko", "ja");
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
