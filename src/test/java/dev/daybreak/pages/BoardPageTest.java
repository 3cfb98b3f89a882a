package dev.daybreak.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.SelectOption;
import com.microsoft.playwright.options.WaitForSelectorState;
import dev.daybreak.Clinic;
import dev.daybreak.DaybreakTest;
import dev.daybreak.pages.Window.Look;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

/** The board of rooms in a real browser: two people at it, every state, and midnight. The pictures are those of {@link PageStatesTest}'s kind. */
@DaybreakTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BoardPageTest {

    @Autowired
    ApplicationContext servers;

    MondayMorning monday;
    Clinic clinic;
    long library;
    long studio;

    @BeforeAll
    void furnishAClinic() throws Exception {
        monday = MondayMorning.of(
                servers,
                6,
                "daybreak.rooms.opens=07:00",
                "daybreak.rooms.closes=20:00",
                "daybreak.rooms.names=full",
                "daybreak.rooms.hash-strength=4");
        clinic = monday.clinic();
        library = room("Library", 8);
        studio = room("Music studio", 4);
        room("Seminar room", 24);
        reserve(library, "07:00", "08:30", "Book club");
        reserve(library, "10:00", "11:00", "Team Oak");
        reserve(studio, "09:15", "12:00", "Choir");
    }

    @AfterAll
    void close() {
        if (monday != null) {
            monday.close();
        }
    }

    @BeforeEach
    void itIsMondayMorning() {
        monday.comesAgain();
    }

    private long room(String name, int seats) {
        return clinic.send(HttpMethod.POST, "/api/admin/rooms", Map.of(), Map.of("name", name, "seats", seats))
                .id();
    }

    private void reserve(long room, String from, String to, String name) {
        var answer = clinic.send(
                HttpMethod.POST,
                "/api/rooms/" + room + "/reservations",
                Map.of(),
                Map.of(
                        "startAt",
                        "2026-10-05T" + from + ":00Z",
                        "endAt",
                        "2026-10-05T" + to + ":00Z",
                        "name",
                        name,
                        "password",
                        "red door 7"));
        assertThat(answer.is(201)).as(answer.body()::toString).isTrue();
    }

    private Window window(Look look) {
        return monday.window(77, look).open("/board");
    }

    private static Locator line(Window window, String room) {
        return window.page().locator(".room").filter(new Locator.FilterOptions().setHasText(room));
    }

    private static void fillIn(Window window, String name, String password) {
        window.page().getByLabel("Name").fill(name);
        window.page().getByLabel("Choose a password").fill(password);
        window.dialog()
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Reserve"))
                .click();
    }

    private static void choose(Window window, String room, String from, String to) {
        line(window, room)
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Reserve"))
                .click();
        window.page().getByLabel("From").selectOption(new SelectOption().setLabel(from));
        window.page()
                .getByLabel("Until")
                .locator("option", new Locator.LocatorOptions().setHasText(to))
                .first()
                .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.ATTACHED));
        String value = window.page()
                .getByLabel("Until")
                .locator("option", new Locator.LocatorOptions().setHasText(to))
                .first()
                .getAttribute("value");
        window.page().getByLabel("Until").selectOption(value);
        window.button("Next").click();
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark", "phone"})
    void theDayOnOneScreen(String kind) {
        Look look = kind.equals("phone") ? Look.PHONE : Look.DESKTOP;
        try (Window window = window(kind.equals("dark") ? look.atNight() : look)) {
            window.page().locator(".entry").first().waitFor();
            assertThat(line(window, "Library")).containsText("Free until 09:00");
            assertThat(line(window, "Library")).containsText("Book club");
            assertThat(window.page().locator(".live.live")).isVisible();
            window.check("board-" + kind, !kind.equals("dark"));
        }
    }

    @ParameterizedTest
    @CsvSource({"ko-KR, ko, 예약", "ja-JP, ja, 予約"})
    void everyLanguage(String accepted, String language, String reserve) {
        try (Window window = window(Look.DESKTOP.in(accepted))) {
            window.page().locator(".entry").first().waitFor();
            window.check("board-" + language);
            window.page()
                    .getByRole(
                            AriaRole.BUTTON,
                            new Page.GetByRoleOptions().setName(reserve).setExact(true))
                    .last()
                    .click();
            window.dialog().waitFor();
            window.check("board-when-" + language);
        }
    }

    @Test
    void twoPeopleWantTheSameRoom() {
        try (Window one = window(Look.DESKTOP);
                Window other = window(Look.DESKTOP)) {
            choose(one, "Seminar room", "09:00", "10:30");
            one.sees("Who is it for?");
            one.check("board-form", true);

            assertThat(line(other, "Seminar room")).containsText("being reserved");
            choose(other, "Seminar room", "11:00", "12:00");
            other.sees("Who is it for?");
            fillIn(other, "Team Ash", "blue door 3");
            other.sees("The room is yours");
            other.button("Close").click();

            fillIn(one, "Team Elm", "green door 9");
            one.sees("The room is yours");
            assertThat(line(other, "Seminar room")).containsText("Team Elm");
            assertThat(line(one, "Seminar room")).containsText("Team Ash");

            line(other, "Seminar room").locator("button.entry-inside").first().click();
            other.page().getByLabel("Password of the reservation").fill("blue door 3");
            other.button("Next").click();
            other.says("That is not the password of this reservation");
            other.button("Try again").click();
            other.page().getByLabel("Password of the reservation").fill("green door 9");
            other.button("Next").click();
            other.check("board-change");
            other.button("Cancel the reservation").click();
            other.sees("Cancel this reservation?");
            other.button("Cancel the reservation").click();
            other.sees("Cancelled");
            assertThat(line(one, "Seminar room")).not().containsText("Team Elm");
            assertThat(one.errors()).isEmpty();
            assertThat(other.errors()).isEmpty();
        }
        assertThat(clinic.brokenInvariants()).isEmpty();
    }

    @Test
    void aTimeIsChosenByDrawingAndMovedByItsPassword() {
        try (Window window = window(Look.DESKTOP)) {
            Locator track = line(window, "Music studio").locator(".track");
            track.waitFor();
            track.scrollIntoViewIfNeeded();
            var box = track.boundingBox();
            double hour = box.width / 13;
            window.page().mouse().move(box.x + 8.05 * hour, box.y + box.height / 2);
            window.page().mouse().down();
            window.page().mouse().move(box.x + 9.4 * hour, box.y + box.height / 2);
            window.page().mouse().up();
            window.sees("Who is it for?");
            window.says("15:00.16:30");
            fillIn(window, "Quartet", "five strings");
            window.sees("The room is yours");
            window.button("Close").click();

            window.button("My reservations").click();
            window.page().getByLabel("Name").fill("Quartet");
            window.page().getByLabel("Password of the reservation").fill("five strings");
            window.button("Find").click();
            window.sees("1 reservation");
            window.dialog().locator(".wide").click();
            window.button("Move").click();
            window.dialog().locator("#move-room").selectOption("Library");
            window.button("Move it there").click();
            window.sees("Moved");
            assertThat(line(window, "Library")).containsText("Quartet");
            assertThat(window.errors()).isEmpty();
        }
    }

    @Test
    void aHoldThatRanOutIsSaidAndTheRoomIsFreeAgain() {
        try (Window window = window(Look.DESKTOP)) {
            choose(window, "Seminar room", "15:00", "16:00");
            window.sees("Who is it for?");
            monday.clock().advance(Duration.ofMinutes(6));
            // The page keeps the clinic's time as it was told when it was opened.
            window.page()
                    .evaluate(
                            "() => { const real = performance.now.bind(performance); performance.now = () => real() + 360000; }");
            window.sees("Your time to fill in the form is over");
            window.button("Try once more").click();
            window.page().locator(".dialog, dialog").waitFor();
        }
    }

    @Test
    void turnsOverAtMidnight() {
        monday.clock().set(Instant.parse("2026-10-05T21:59:50Z"));
        try (Window window = window(Look.DESKTOP)) {
            assertThat(window.page().locator("h1")).containsText("Monday");
            monday.clock().advance(Duration.ofSeconds(20));
            assertThat(window.page().locator("h1"))
                    .containsText("Tuesday", new LocatorAssertions.ContainsTextOptions().setTimeout(20_000));
            assertThat(window.page().locator(".entry")).hasCount(0);
        }
    }
}
