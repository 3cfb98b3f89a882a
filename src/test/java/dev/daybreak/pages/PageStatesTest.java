package dev.daybreak.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.Media;
import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.pages.Window.Look;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
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

/**
 * Every state of the patient's page: without barriers for those who use it otherwise, and without errors. For the clinic it is always
 * the same Monday morning. With {@code -Ddaybreak.screenshots=true} the pictures in
 * {@code docs/screenshots} are taken anew, and those of all other states put beside the build.
 */
@DaybreakTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageStatesTest {

    private static final String TUESDAY = "2026-10-06";
    private static final String NOT_OPEN_YET = "2026-10-20";

    @Autowired
    ApplicationContext servers;

    MondayMorning monday;
    Clinic clinic;
    long vaccination;
    long brandt;
    long flexible;

    @BeforeAll
    void furnishAClinic() throws Exception {
        monday = MondayMorning.of(servers, 5);
        clinic = monday.clinic();
        brandt = doctor("Dr. Lena Brandt", "General practice", slots("08:00", "17:00", 20, 1));
        doctor("Dr. Amara Okonkwo", "General practice", slots("09:00", "18:00", 20, 1));
        doctor("Dr. Haruka Mori", "Paediatrics", slots("08:00", "16:00", 20, 1));
        doctor("Dr. Han Ji-woo", "Dermatology", slots("09:00", "17:00", 15, 1));
        doctor("Dr. Priya Raghavan", "Cardiology", slots("08:00", "16:00", 30, 1));
        doctor("Dr. Elif Aydın", "Orthopaedics", slots("10:00", "18:00", 30, 1));
        vaccination = doctor("Vaccination clinic", "Vaccination", slots("08:00", "18:00", 30, 10));
        flexible = doctor(
                "Dr. Ines Calder",
                "Physiotherapy",
                Map.of("startTime", "09:00", "endTime", "13:00", "mode", "FLEXIBLE"));
        List<Integer> taken = List.of(10, 10, 8, 9, 3, 0, 10, 5, 1, 7);
        for (int i = 0; i < taken.size(); i++) {
            long slot = slot(vaccination, TUESDAY, i);
            for (int n = 0; n < taken.get(i); n++) {
                clinic.book(slot, Clinic.newPatient(), Clinic.newKey());
            }
        }
    }

    @AfterAll
    void close() {
        if (monday != null) {
            monday.close();
        }
    }

    private static Map<String, Object> slots(String start, String end, int minutes, int capacity) {
        return Map.of("startTime", start, "endTime", end, "slotMinutes", minutes, "capacity", capacity);
    }

    private long doctor(String name, String specialty, Map<String, Object> hours) {
        long id = send("/api/admin/doctors", Map.of("name", name, "specialty", specialty))
                .id();
        var schedule = new HashMap<>(hours);
        schedule.put("fromDate", "2026-10-05");
        schedule.put("weekdays", List.of("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"));
        send("/api/admin/doctors/" + id + "/schedules", schedule);
        return id;
    }

    private Clinic.Answer send(String path, Object body) {
        Clinic.Answer answer = clinic.send(HttpMethod.POST, path, Map.of(), body);
        assertThat(answer.is(201)).as("%s", answer).isTrue();
        return answer;
    }

    private long slot(long doctor, String date, int place) {
        return clinic.number("""
                SELECT id FROM time_slot WHERE doctor_id = %d AND (start_at AT TIME ZONE 'Europe/Berlin')::date = '%s'
                ORDER BY start_at LIMIT 1 OFFSET %d""".formatted(doctor, date, place));
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark", "phone", "phone-dark"})
    void aDayWithItsTimes(String kind) {
        Look look = kind.startsWith("phone") ? Look.PHONE : Look.DESKTOP;
        try (Window window = monday.window(77, kind.endsWith("dark") ? look.atNight() : look)) {
            window.openDay(vaccination, TUESDAY);
            assertThat(window.page().locator("[class='live live']")).isVisible();
            window.check("day-" + kind, !kind.equals("phone-dark"));
        }
    }

    @Test
    void theListOnAPhone() {
        try (Window window = monday.window(77, Look.PHONE)) {
            window.open("/");
            window.page().locator(".doctors a").first().waitFor();
            window.check("doctors-phone", true);
        }
    }

    @Test
    void theFirstSight() {
        try (Window window = monday.window(77, Look.DESKTOP)) {
            window.open("/");
            window.page().locator(".doctors a").first().waitFor();
            window.check("doctors");
        }
    }

    @ParameterizedTest
    @CsvSource({"ko-KR, ko, 예약하기", "ja-JP, ja, 予約する", "en-US, en, Book now"})
    void everyLanguage(String accepted, String language, String confirm) {
        try (Window window = monday.window(9000 + language.hashCode() % 100, Look.DESKTOP.in(accepted))) {
            window.openDay(vaccination, TUESDAY);
            assertThat(window.page().locator("[class='live live']")).isVisible();
            window.check("day-" + language, !language.equals("en"));
            window.times().nth(4).click();
            window.button(confirm).waitFor();
            window.check("hold-" + language);
            window.button(confirm).click();
            assertThat(window.page().locator("dialog.good")).isVisible();
            window.check("booked-" + language);
            window.open("/?mine");
            window.page().locator(".card").first().waitFor();
            window.check("mine-" + language);
        }
    }

    @Test
    void choosesAnotherLanguageThanTheBrowsers() {
        try (Window window = monday.window(77, Look.DESKTOP)) {
            window.openDay(vaccination, TUESDAY);
            window.page().getByLabel("Language").selectOption("ja");
            window.says("予約する");
            window.page().reload();
            window.says("予約する");
            assertThat(window.page().locator("html")).hasAttribute("lang", "ja");
        }
    }

    @Test
    void timesOfTheClinicForSomebodyFarAway() {
        try (Window window = monday.window(77, Look.DESKTOP.at("Asia/Seoul"))) {
            window.openDay(brandt, TUESDAY);
            assertThat(window.times().first()).containsText("08:00");
            assertThat(window.times().first()).containsText("15:00");
            window.says("Central European Summer Time");
            window.check("far-away");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSeatHeldBookedAndKept(boolean phone) {
        String kind = phone ? "-phone" : "";
        try (Window window = monday.window(phone ? 81 : 80, phone ? Look.PHONE : Look.DESKTOP)) {
            window.openDay(brandt, "2026-10-07");
            window.times().nth(phone ? 3 : 2).click();
            window.sees("Book this appointment?");
            window.check("hold" + kind, true);
            window.button("Book now").click();
            window.sees("Booked");
            window.check("booked" + kind, phone);
            window.dialog().getByText("My appointments").click();
            window.page().locator(".card").first().waitFor();
            window.check("mine" + kind, true);
            window.button("Cancel").click();
            window.sees("Cancel this appointment?");
            window.check("cancel" + kind);
            window.button("Keep it").click();
            window.button("Move").click();
            window.times().first().waitFor();
            window.check("move" + kind);
        }
    }

    @Test
    void aTimeThatHasJustBeenTaken() {
        try (Window window = monday.window(82, Look.DESKTOP)) {
            window.openDay(brandt, "2026-10-08");
            window.context().route("**/api/holds", route -> {
                clinic.book(slot(brandt, "2026-10-08", 3), Clinic.newPatient(), Clinic.newKey());
                route.resume();
            });
            window.times().nth(3).click();
            window.sees("Just taken");
            assertThat(window.dialog().locator(".offers li")).hasCount(3);
            window.check("taken", true);
        }
    }

    @Test
    void aHoldThatHasRunOut() {
        try (Window window = monday.window(83, Look.DESKTOP)) {
            window.openDay(brandt, "2026-10-09");
            window.context()
                    .route(
                            "**/confirm",
                            route -> route.fulfill(new Route.FulfillOptions()
                                    .setStatus(409)
                                    .setContentType("application/problem+json")
                                    .setBody("{\"code\": \"HOLD_EXPIRED\"}")));
            window.times().nth(1).click();
            window.sees("Book this appointment?");
            window.button("Book now").click();
            window.sees("Your reservation has run out");
            window.check("expired");
        }
    }

    @Test
    void aDayThatOpensLater() {
        try (Window window = monday.window(84, Look.DESKTOP)) {
            window.openDay(brandt, NOT_OPEN_YET);
            window.says("Booking opens .* in 22:4");
            window.check("opens-later", true);
        }
    }

    @Test
    void aFlexibleDoctor() {
        try (Window window = monday.window(85, Look.DESKTOP)) {
            window.openDay(flexible, TUESDAY);
            window.page().getByLabel("45 min").check();
            assertThat(window.times()).hasCount(14);
            window.check("flexible");
            window.time("09:30").click();
            window.sees("Book this appointment?");
            window.check("flexible-ask");
            window.button("Book now").click();
            window.sees("Booked");
            window.button("Close").click();
            assertThat(window.time("09:30")).hasCount(0);
        }
    }

    @Test
    void nothingFound() {
        try (Window window = monday.window(86, Look.DESKTOP)) {
            window.open("/");
            window.page().getByLabel("Name of the doctor or clinic").fill("Nobody of that name");
            window.says("Nobody matches your search");
            window.check("nobody");
            window.button("Clear the search").click();
            window.page().locator(".doctors a").first().waitFor();
        }
    }

    @Test
    void noAppointmentsAhead() {
        try (Window window = monday.window(87, Look.PHONE)) {
            window.open("/?mine");
            window.says("You have no appointments ahead");
            window.check("mine-empty");
        }
    }

    @Test
    void offline() {
        try (Window window = monday.window(88, Look.DESKTOP)) {
            window.openDay(brandt, TUESDAY);
            window.context().setOffline(true);
            window.says("You are offline");
            window.check("offline", true);
            window.context().setOffline(false);
            assertThat(window.page().locator(".offline")).isHidden();
        }
    }

    @Test
    void loadingAndFailing() {
        try (Window window = monday.window(89, Look.DESKTOP)) {
            window.context().route(Pattern.compile("/api/doctors\\?"), route -> route.abort());
            window.context().route("**/api/doctors/*", route -> {});
            window.open("/?doctor=" + brandt);
            window.page().locator(".doctor .skeleton").waitFor();
            window.check("loading");
            window.page().locator(".finder .state").waitFor(new Locator.WaitForOptions().setTimeout(30_000));
            window.check("failing");
        }
    }

    @Test
    void aDoctorThatDoesNotExist() {
        try (Window window = monday.window(90, Look.DESKTOP)) {
            window.open("/?doctor=999999");
            window.says("We could not find this doctor");
            window.check("no-such-doctor");
        }
    }

    @Test
    void choosingAPatientToTryThingsOut() {
        try (Window window = monday.window(91, Look.DESKTOP)) {
            window.open("/");
            window.page().getByText("Patient 91").click();
            window.page().getByLabel("Patient number").fill("4711");
            window.check("patient");
            window.page().keyboard().press("Enter");
            window.says("Patient 4711");
        }
    }

    @Test
    void aDayOnPaper() {
        try (Window window = monday.window(92, Look.DESKTOP)) {
            window.open("/print?doctor=" + vaccination + "&date=" + TUESDAY);
            window.page().locator("tbody tr").first().waitFor();
            assertThat(window.page().locator("tbody tr").first()).containsText("10");
            window.check("print");
            window.page().emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT));
            window.check("print-paper", true);
        }
    }
}
