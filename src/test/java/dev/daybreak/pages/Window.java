package dev.daybreak.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import com.microsoft.playwright.options.ScreenshotAnimations;
import com.microsoft.playwright.options.ScreenshotCaret;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/** A patient in front of the page. What the page does wrong by itself, errors in its script above all, is remembered. */
final class Window implements AutoCloseable {

    static final int PATIENCE_MILLIS = 12_000;
    private static final boolean PICTURES = Boolean.getBoolean("daybreak.screenshots");
    private static final Set<String> GRAVE = Set.of("serious", "critical");

    private final BrowserContext context;
    private final Page page;
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final String baseUrl;

    /** How somebody looks at the page. */
    record Look(String language, String zone, int width, int height, boolean dark) {

        static final Look DESKTOP = new Look("en-GB", "Europe/Berlin", 1280, 860, false);
        static final Look PHONE = new Look("en-GB", "Europe/Berlin", 390, 844, false);

        Look in(String other) {
            return new Look(other, zone, width, height, dark);
        }

        Look at(String otherZone) {
            return new Look(language, otherZone, width, height, dark);
        }

        Look atNight() {
            return new Look(language, zone, width, height, true);
        }
    }

    Window(Browser browser, String baseUrl, long patient, Look look) {
        this.baseUrl = baseUrl;
        context = browser.newContext(new Browser.NewContextOptions()
                .setLocale(look.language())
                .setTimezoneId(look.zone())
                .setViewportSize(look.width(), look.height())
                .setColorScheme(look.dark() ? ColorScheme.DARK : ColorScheme.LIGHT)
                .setReducedMotion(ReducedMotion.REDUCE));
        context.setDefaultTimeout(PATIENCE_MILLIS);
        context.addInitScript("localStorage.getItem('daybreak.patient') ?? localStorage.setItem('daybreak.patient', '"
                + patient + "')");
        page = context.newPage();
        page.onPageError(errors::add);
        page.onConsoleMessage(message -> {
            // A refusal is no error of the page, though the browser writes it down as one.
            if (message.type().equals("error") && !message.text().startsWith("Failed to load resource")) {
                errors.add(message.text());
            }
        });
    }

    Page page() {
        return page;
    }

    BrowserContext context() {
        return context;
    }

    Window open(String path) {
        page.navigate(baseUrl + path);
        return this;
    }

    /** Opens the day of a doctor and waits for its times. */
    Window openDay(long doctor, String date) {
        open("/?doctor=" + doctor + "&date=" + date);
        times().first().waitFor();
        return this;
    }

    Locator times() {
        return page.locator(".time");
    }

    /** The button of a time on the clinic's clock, such as 09:20. */
    Locator time(String clock) {
        return page.locator(".time").filter(new Locator.FilterOptions().setHasText(clock));
    }

    Locator dialog() {
        return page.getByRole(AriaRole.DIALOG);
    }

    Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    /** Waits until the dialog has that heading. */
    Window sees(String heading) {
        assertThat(dialog().getByRole(AriaRole.HEADING, new Locator.GetByRoleOptions().setLevel(2)))
                .containsText(heading);
        return this;
    }

    Window says(String text) {
        assertThat(page.locator("body")).containsText(Pattern.compile(text));
        return this;
    }

    /** Fails if axe finds something serious on the page as it is now, by WCAG 2.2 AA and below. */
    private void hasNoBarriers(String state) {
        List<Rule> found = new AxeBuilder(page)
                        .withTags(List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"))
                        .analyze()
                        .getViolations()
                        .stream()
                        .filter(rule -> GRAVE.contains(rule.getImpact()))
                        .toList();
        assertThat(found.stream()
                        .map(rule -> rule.getId() + ": "
                                + rule.getNodes().stream()
                                        .map(node -> node.getHtml() + " " + node.getFailureSummary())
                                        .toList()))
                .as(state)
                .isEmpty();
    }

    /** Fails if the state has barriers or errors. */
    void check(String state) {
        check(state, false);
    }

    /**
     * The same.
     *
     * @param forDocs whether its picture, if pictures are taken, is one of the documentation's
     */
    void check(String state, boolean forDocs) {
        hasNoBarriers(state);
        assertThat(errors).as(state).isEmpty();
        if (PICTURES) {
            page.screenshot(new Page.ScreenshotOptions()
                    .setPath(Path.of(forDocs ? "docs/screenshots" : "target/screenshots", state + ".png"))
                    .setAnimations(ScreenshotAnimations.DISABLED)
                    .setCaret(ScreenshotCaret.HIDE));
        }
    }

    List<String> errors() {
        return errors;
    }

    @Override
    public void close() {
        context.close();
    }
}
