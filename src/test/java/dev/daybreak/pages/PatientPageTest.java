package dev.daybreak.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.FaultyProxy;
import dev.daybreak.MutableClock;
import dev.daybreak.TestServers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Base64;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

/** The patient's page in a real browser, judged by what the patient sees and by the committed rows. */
@DaybreakTest
class PatientPageTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static Browsers browsers;

    @Autowired
    ApplicationContext service;

    @Autowired
    MutableClock clock;

    @LocalServerPort
    int port;

    Clinic clinic;
    long doctor;
    LocalDate day;
    long slot;
    long other;

    @BeforeAll
    static void startABrowser() {
        browsers = Browsers.start();
    }

    @AfterAll
    static void closeIt() {
        if (browsers != null) {
            browsers.close();
        }
    }

    @BeforeEach
    void aDoctorWithTwoTimesTomorrow() {
        clinic = Clinic.at(service);
        doctor = clinic.doctor();
        day = LocalDate.now(BERLIN).plusDays(1);
        slot = clinic.slot(doctor, at("09:00"), 1);
        other = clinic.slot(doctor, at("10:00"), 3);
    }

    @AfterEach
    void nothingIsBroken() {
        clock.reset();
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    private Instant at(String time) {
        return day.atTime(LocalTime.parse(time)).atZone(BERLIN).toInstant();
    }

    private String url() {
        return "http://127.0.0.1:" + port;
    }

    private Window patient(long id) {
        return browsers.window(url(), id);
    }

    @Test
    void findsADoctorByNameAndSpecialtyAndBooks() {
        long patient = Clinic.newPatient();
        String name = "Dr. Ada Quill " + doctor;
        clinic.execute("UPDATE doctor SET name = '" + name + "', specialty = 'Hand surgery' WHERE id = " + doctor);
        try (Window window = patient(patient)) {
            Page page = window.open("/").page();
            page.getByLabel("Name of the doctor or clinic").fill("ada quill " + doctor);
            page.getByLabel("Specialty").selectOption("Hand surgery");
            page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(Pattern.compile("Ada Quill")))
                    .click();

            // The first day with free seats is chosen by itself.
            window.time("09:00").click();
            window.sees("Book this appointment?");
            assertThat(clinic.active(slot)).as("held").isEqualTo(1);
            window.button("Book now").click();
            window.sees("Booked");

            assertThat(clinic.number(
                            "SELECT count(*) FROM appointment WHERE status = 'BOOKED' AND patient_id = " + patient))
                    .isEqualTo(1);
            window.dialog().getByText("My appointments").click();
            assertThat(page.locator(".card")).hasCount(1);
            assertThat(page.locator(".card")).containsText(name);
            assertThat(window.errors()).isEmpty();
        }
    }

    @Test
    void oneOfTwoGetsTheLastSeatAndTheOtherIsOfferedWhatIsNear() {
        try (Window anna = patient(Clinic.newPatient());
                Window ben = patient(Clinic.newPatient())) {
            anna.openDay(doctor, day.toString());
            ben.openDay(doctor, day.toString());

            // At the same moment, so that both clicks leave before either answer is there, or the news of it.
            String click = "button => { setTimeout(() => button.click(), %d - Date.now()) }"
                    .formatted(System.currentTimeMillis() + 2_000);
            anna.time("09:00").evaluate(click);
            ben.time("09:00").evaluate(click);
            Pattern decided = Pattern.compile("Book this appointment|Just taken");
            assertThat(anna.dialog()).containsText(decided);
            assertThat(ben.dialog()).containsText(decided);

            boolean annaWon = anna.dialog().textContent().contains("Book this appointment");
            Window winner = annaWon ? anna : ben;
            Window loser = annaWon ? ben : anna;
            loser.sees("Just taken");
            assertThat(loser.dialog().locator(".offers")).containsText("10:00");
            winner.button("Book now").click();
            winner.sees("Booked");

            loser.dialog().locator(".offers button").first().click();
            loser.sees("Book this appointment?");
            loser.button("Book now").click();
            loser.sees("Booked");
            assertThat(clinic.active(slot)).isEqualTo(1);
            assertThat(clinic.active(other)).isEqualTo(1);
            assertThat(anna.errors()).isEmpty();
            assertThat(ben.errors()).isEmpty();
        }
    }

    @Test
    void seesAtOnceWhatOthersBookAndGiveBack() {
        try (Window window = patient(Clinic.newPatient())) {
            window.openDay(doctor, day.toString());
            assertThat(window.time("10:00")).containsText("3 left");

            long appointment =
                    clinic.book(other, Clinic.newPatient(), Clinic.newKey()).id();
            assertThat(window.time("10:00")).containsText("2 left");
            long first = clinic.book(slot, Clinic.newPatient(), Clinic.newKey()).id();
            assertThat(window.time("09:00")).containsText("taken");
            assertThat(window.time("09:00")).hasAttribute("aria-disabled", "true");

            clinic.cancel(appointment);
            clinic.cancel(first);
            assertThat(window.time("10:00")).containsText("3 left");
            assertThat(window.time("09:00")).not().hasAttribute("aria-disabled", "true");
        }
    }

    @Test
    void booksOnceThoughTheConnectionIsCut() {
        long patient = Clinic.newPatient();
        try (FaultyProxy line = FaultyProxy.to("127.0.0.1", port);
                Window window = browsers.window("http://127.0.0.1:" + line.port(), patient)) {
            window.openDay(doctor, day.toString());
            window.time("09:00").click();
            window.sees("Book this appointment?");

            line.cut();
            window.button("Book now").click();
            window.says("longer than usual|No answer yet");
            line.resume();
            window.sees("Booked");

            assertThat(clinic.appointments(slot)).isEqualTo(1);
            assertThat(clinic.number("SELECT count(*) FROM appointment WHERE status = 'BOOKED' AND slot_id = " + slot))
                    .isEqualTo(1);
            // The list comes back by itself as well.
            assertThat(window.page().locator(".live")).hasClass("live live");
        }
    }

    @Test
    void findsTheSeatItWasGivenThoughTheAnswerWasLost() {
        long patient = Clinic.newPatient();
        try (FaultyProxy line = FaultyProxy.to("127.0.0.1", port);
                Window window = browsers.window("http://127.0.0.1:" + line.port(), patient)) {
            window.openDay(doctor, day.toString());
            // The request arrives, its answer does not.
            line.freezeAnswers();
            window.time("09:00").click();
            Awaitility.await().atMost(PATIENCE).until(() -> clinic.active(slot) == 1);
            line.dropConnections();
            line.resume();

            window.sees("Book this appointment?");
            window.button("Book now").click();
            window.sees("Booked");
            assertThat(clinic.appointments(slot)).isEqualTo(1);
        }
    }

    @Test
    void makesOneAppointmentOfManyClicks() {
        try (Window window = patient(Clinic.newPatient())) {
            window.openDay(doctor, day.toString());
            window.time("10:00").evaluate("button => { for (let i = 0; i < 5; i++) button.click() }");
            window.sees("Book this appointment?");
            window.button("Book now").evaluate("button => { for (let i = 0; i < 5; i++) button.click() }");
            window.sees("Booked");

            assertThat(clinic.appointments(other)).isEqualTo(1);
        }
    }

    @Test
    void aDoubleClickOnATimeDoesNotBookIt() {
        try (Window window = patient(Clinic.newPatient())) {
            window.openDay(doctor, day.toString());
            window.time("10:00").dblclick();
            window.sees("Book this appointment?");

            assertThat(clinic.number("SELECT count(*) FROM appointment WHERE status = 'HELD' AND slot_id = " + other))
                    .isEqualTo(1);
        }
    }

    @Test
    void givesTheSeatBackWhenThePatientDecidesAgainstIt() {
        try (Window window = patient(Clinic.newPatient())) {
            window.openDay(doctor, day.toString());
            window.time("09:00").click();
            window.sees("Book this appointment?");
            window.page().keyboard().press("Escape");

            assertThat(window.dialog()).hasCount(0);
            Awaitility.await().atMost(PATIENCE).until(() -> clinic.active(slot) == 0);
            assertThat(window.time("09:00")).isFocused();
            assertThat(window.time("09:00")).not().hasAttribute("aria-disabled", "true");
        }
    }

    @Test
    void saysWhenTheTimeToDecideIsOverAndOffersToHoldItAgain() {
        try (var brief = TestServers.anotherInstance(
                        service, "daybreak.booking.hold=4s", "daybreak.booking.hold-cap=6s");
                Window window = browsers.window(
                        "http://127.0.0.1:" + brief.getEnvironment().getProperty("local.server.port"),
                        Clinic.newPatient())) {
            window.openDay(doctor, day.toString());
            window.time("09:00").click();
            window.sees("Book this appointment?");
            window.sees("Your reservation has run out");
            Awaitility.await().atMost(PATIENCE).until(() -> clinic.active(slot) == 0);

            window.button("Reserve it again").click();
            window.sees("Book this appointment?");
            window.button("Book now").click();
            window.sees("Booked");
        }
    }

    @Test
    void saysSoWhenTheServiceCountsTheHoldAsOverAlready() {
        try (Window window = patient(Clinic.newPatient())) {
            window.openDay(doctor, day.toString());
            window.time("09:00").click();
            window.sees("Book this appointment?");
            clock.advance(Duration.ofMinutes(6));
            window.button("Book now").click();

            window.sees("Your reservation has run out");
            assertThat(clinic.number("SELECT count(*) FROM appointment WHERE status = 'BOOKED' AND slot_id = " + slot))
                    .isZero();
        }
    }

    @Test
    void keepsTheHoldOverAReload() {
        try (Window window = patient(Clinic.newPatient())) {
            window.openDay(doctor, day.toString());
            window.time("09:00").click();
            window.sees("Book this appointment?");
            window.page().reload();

            window.sees("Book this appointment?");
            window.button("Book now").click();
            window.sees("Booked");
            assertThat(clinic.appointments(slot)).isEqualTo(1);
        }
    }

    @Test
    void opensByItselfAtTheOpening() {
        Instant opens = Instant.now().plusSeconds(12);
        long early = clinic.slot(doctor, at("11:00"), Duration.ofMinutes(15), 2, opens);
        try (Window window = patient(Clinic.newPatient())) {
            window.openDay(doctor, day.toString());
            window.says("Booking opens .* in 0:[01]\\d");
            assertThat(window.time("11:00")).hasAttribute("aria-disabled", "true");

            assertThat(window.time("11:00")).containsText("2 left");
            window.time("11:00").click();
            window.sees("Book this appointment?");
            assertThat(clinic.active(early)).isEqualTo(1);
        }
    }

    @Test
    void movesAndCancelsAnAppointment() throws Exception {
        long patient = Clinic.newPatient();
        long appointment = clinic.book(slot, patient, Clinic.newKey()).id();
        try (Window window = patient(patient)) {
            window.open("/?mine");
            var file = window.page()
                    .waitForDownload(() -> window.button("Add to calendar").click());
            Path saved = Files.createTempFile("appointment", ".ics");
            file.saveAs(saved);
            assertThat(saved).content().contains("BEGIN:VEVENT");

            window.button("Move").click();
            window.says("Choose a new time for your appointment");
            window.time("10:00").click();
            window.sees("Move your appointment here?");
            window.button("Move it").click();
            window.sees("Moved");
            assertThat(clinic.active(slot)).isZero();
            assertThat(clinic.active(other)).isEqualTo(1);

            window.dialog().getByText("My appointments").click();
            assertThat(window.page().locator(".card")).containsText("10:00");
            window.button("Cancel").click();
            window.sees("Cancel this appointment?");
            window.button("Cancel the appointment").click();
            window.sees("Cancelled");
            window.button("Close").click();
            window.says("You have no appointments ahead");
            assertThat(clinic.number(
                            "SELECT count(*) FROM appointment WHERE status = 'CANCELLED' AND id = " + appointment))
                    .isEqualTo(1);
        }
    }

    @Test
    void keepsTheOldTimeWhenTheNewOneIsGone() {
        long patient = Clinic.newPatient();
        clinic.book(other, patient, Clinic.newKey());
        try (Window window = patient(patient)) {
            window.open("/?mine");
            window.button("Move").click();
            window.time("09:00").click();
            window.sees("Move your appointment here?");
            clinic.book(slot, Clinic.newPatient(), Clinic.newKey());
            window.button("Move it").click();

            window.sees("Just taken");
            window.says("Your appointment is unchanged");
            assertThat(clinic.active(other)).isEqualTo(1);
        }
    }

    @Test
    void saysWhichAppointmentIsInTheWay() {
        long patient = Clinic.newPatient();
        long elsewhere = clinic.slot(clinic.doctor(), at("09:05"), 1);
        clinic.book(elsewhere, patient, Clinic.newKey());
        try (Window window = patient(patient)) {
            window.openDay(doctor, day.toString());
            window.time("09:00").click();

            window.sees("You have another appointment then");
            assertThat(clinic.active(slot)).isZero();
        }
    }

    @Test
    void worksByKeyboardAlone() {
        try (Window window = patient(Clinic.newPatient())) {
            Page page = window.openDay(doctor, day.toString()).page();
            page.locator("td[aria-selected=true] .day").focus();
            page.keyboard().press("ArrowRight");
            assertThat(page.locator("[data-date='" + day.plusDays(1) + "']")).isFocused();
            page.keyboard().press("ArrowLeft");
            page.keyboard().press("Enter");
            window.time("09:00").focus();
            page.keyboard().press("Enter");
            window.sees("Book this appointment?");
            assertThat(window.button("Book now")).isFocused();
            page.keyboard().press("Enter");
            window.sees("Booked");
        }
    }

    @Test
    void isWhomThePortalsTokenSaysAndKeepsTheTokenOutOfTheAddress() {
        try (var guarded = TestServers.anotherInstance(
                        service, "daybreak.pages.sign-in=token", "daybreak.pages.portal-url=https://portal.example/");
                Window window = browsers.window(
                        "http://127.0.0.1:" + guarded.getEnvironment().getProperty("local.server.port"), 1)) {
            Page page = window.openDay(doctor, day.toString()).page();
            window.says("Not signed in");
            window.time("09:00").click();
            window.sees("Please sign in first");
            assertThat(window.dialog().getByText("Sign in", new Locator.GetByTextOptions().setExact(true)))
                    .hasAttribute("href", "https://portal.example/");
            window.page().keyboard().press("Escape");

            String token = token("{\"patient_id\": 4711, \"exp\": 4102444800}");
            page.evaluate("token => { location.hash = 'token=' + token }", token);
            window.says("Patient 4711");
            assertThat(page.url()).doesNotContain("token");
            var request = page.waitForRequest(
                    "**/api/holds", () -> window.time("09:00").click());
            assertThat(request.headerValue("authorization")).isEqualTo("Bearer " + token);
            assertThat(request.postData()).contains("4711");
        }
    }

    @Test
    void forgetsATokenThatHasExpired() {
        try (var guarded = TestServers.anotherInstance(service, "daybreak.pages.sign-in=token");
                Window window = browsers.window(
                        "http://127.0.0.1:" + guarded.getEnvironment().getProperty("local.server.port"), 1)) {
            window.open("/?mine#token=" + token("{\"patient_id\": 4711, \"exp\": 1700000000}"));

            window.says("Not signed in");
            window.says("Open this page from the patient portal");
        }
    }

    private static String token(String claims) {
        var encoder = Base64.getUrlEncoder().withoutPadding();
        return Stream.of("{\"alg\":\"HS256\"}", claims, "signature")
                .map(part -> encoder.encodeToString(part.getBytes(StandardCharsets.UTF_8)))
                .collect(Collectors.joining("."));
    }
}
