package dev.daybreak.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.pages.Window.Look;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

/** The page for staff in a real browser: what they do with it, and every view without barriers. */
@DaybreakTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdminPageTest {

    private static final String TUESDAY = "2026-10-06";
    private static final String WEDNESDAY = "2026-10-07";

    @Autowired
    ApplicationContext servers;

    MondayMorning monday;
    Clinic clinic;
    long doctor;

    @BeforeAll
    void furnishAClinic() throws Exception {
        monday = MondayMorning.of(
                servers, 7, "daybreak.admin.name=reception", "daybreak.admin.password=harbour light 5");
        clinic = monday.clinic();
        doctor = clinic.send(
                        HttpMethod.POST,
                        "/api/admin/doctors",
                        Map.of(),
                        Map.of("name", "Dr. Mira Holm", "specialty", "General practice"))
                .id();
        clinic.send(
                HttpMethod.POST,
                "/api/admin/doctors/" + doctor + "/schedules",
                Map.of(),
                Map.of(
                        "fromDate",
                        TUESDAY,
                        "toDate",
                        WEDNESDAY,
                        "weekdays",
                        List.of("TUESDAY", "WEDNESDAY"),
                        "startTime",
                        "09:00",
                        "endTime",
                        "11:00",
                        "slotMinutes",
                        20,
                        "capacity",
                        2));
        for (String day : List.of(TUESDAY, WEDNESDAY)) {
            for (int place = 0; place < 3; place++) {
                clinic.book(slot(day, place), Clinic.newPatient(), Clinic.newKey());
            }
        }
    }

    @AfterAll
    void close() {
        if (monday != null) {
            monday.close();
        }
    }

    private long slot(String date, int place) {
        return clinic.number("""
                SELECT id FROM time_slot WHERE doctor_id = %d AND (start_at AT TIME ZONE 'Europe/Berlin')::date = '%s'
                ORDER BY start_at LIMIT 1 OFFSET %d""".formatted(doctor, date, place));
    }

    private Window signedIn(Look look, String path) {
        Window window = monday.window(77, look).open("/admin");
        window.page().locator("input[autocomplete=username]").fill("reception");
        window.page().locator("input[type=password]").fill("harbour light 5");
        window.page().locator("form.login .primary").click();
        window.page().locator("nav a[aria-current]").waitFor();
        return window.open(path);
    }

    private static void check(Window window, String state, boolean forDocs) {
        window.page().locator("h1").waitFor();
        window.check(state, forDocs);
    }

    private static Locator row(Window window, String text) {
        return window.page().locator("tbody tr").filter(new Locator.FilterOptions().setHasText(text));
    }

    @Test
    void refusesAWrongPasswordAndSaysSo() {
        try (Window window = monday.window(77, Look.DESKTOP).open("/admin")) {
            window.page().getByLabel("Name").fill("reception");
            window.page().getByLabel("Password").fill("harbour dark 5");
            window.button("Sign in").click();
            assertThat(window.page().locator("[role=alert]")).isVisible();
            check(window, "admin-login", false);
        }
    }

    @Test
    void aLoginThatIsOverLeadsBackToTheDoor() {
        try (Window window = signedIn(Look.DESKTOP, "/admin?view=day&date=" + TUESDAY)) {
            window.page().locator("tbody tr").first().waitFor();
            window.page().evaluate("() => sessionStorage.setItem('daybreak.admin', 'of another day')");
            window.page().locator("nav a").last().click();
            window.says("Your session has ended");
        }
    }

    @Test
    void showsADayAndCancelsForAReason() {
        try (Window window = signedIn(Look.DESKTOP, "/admin?view=day&date=" + TUESDAY + "&doctor=" + doctor)) {
            assertThat(row(window, "1 of 2")).hasCount(3);
            check(window, "admin-day", true);

            row(window, "booked").first().locator("button").click();
            window.page().getByLabel("Reason").fill("The doctor is ill");
            window.button("Cancel it").click();
            assertThat(row(window, "cancelled")).hasCount(1);
            assertThat(row(window, "1 of 2")).hasCount(2);

            window.open("/admin?view=trail");
            assertThat(row(window, "The doctor is ill")).containsText("reception");
            check(window, "admin-trail", true);
        }
    }

    @Test
    void showsWhatAClosureTouchesBeforeItIsMade() {
        try (Window window = signedIn(Look.DESKTOP, "/admin?view=closures&doctor=" + doctor)) {
            window.page().getByLabel("From").fill(WEDNESDAY);
            window.page().getByLabel("To (last day)").fill(WEDNESDAY);
            window.page().getByLabel("Reason").fill("Training");
            window.button("Show what it would touch").click();
            window.says("3 appointments are in the way");
            assertThat(clinic.number("SELECT count(*) FROM closure")).isZero();
            check(window, "admin-closure", true);

            window.button("Close, and cancel 3 appointments").click();
            window.says("appointments cancelled: 3");
            assertThat(
                            clinic.number(
                                    "SELECT count(*) FROM appointment WHERE status = 'CANCELLED' AND cancel_reason = 'Training'"))
                    .isEqualTo(3);
            assertThat(row(window, "Training")).hasCount(1);
        }
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void triesHoursOutBeforePublishingThem() {
        try (Window window = signedIn(Look.DESKTOP, "/admin?view=schedules&doctor=" + doctor)) {
            window.page().locator("input[type=date]").first().fill("2026-10-12");
            window.page().locator("input[type=date]").nth(1).fill("2026-10-12");
            window.button("Preview").click();
            window.says("Would make 21 slots");
            assertThat(clinic.number("SELECT count(*) FROM schedule WHERE from_date = '2026-10-12'"))
                    .isZero();
            check(window, "admin-schedules", false);
            window.button("Publish").click();
            window.says("Made 21 slots");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"patient", "rooms", "messages", "figures"})
    void everyOtherView(String view) {
        try (Window window = signedIn(Look.DESKTOP, "/admin?view=" + view)) {
            window.page().locator(".view h1").waitFor();
            if (view.equals("figures")) {
                assertThat(window.page().locator(".chart strong").first()).not().hasText("–");
            }
            check(window, "admin-" + view, view.equals("figures"));
        }
    }

    @ParameterizedTest
    @CsvSource({"ko-KR, ko", "ja-JP, ja"})
    void everyLanguage(String accepted, String language) {
        try (Window window = signedIn(Look.DESKTOP.in(accepted), "/admin?view=closures")) {
            window.page().locator(".view h1").waitFor();
            check(window, "admin-" + language, false);
        }
    }

    @Test
    void onAPhone() {
        try (Window window = signedIn(Look.PHONE, "/admin?view=day&date=" + TUESDAY)) {
            window.page().locator("tbody tr").first().waitFor();
            check(window, "admin-phone", false);
        }
    }
}
