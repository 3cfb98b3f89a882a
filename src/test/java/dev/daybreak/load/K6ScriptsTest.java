package dev.daybreak.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.DaybreakTest;
import dev.daybreak.load.K6Result.Verdict;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Against the running service, every k6 script runs to its end, finds what it should find, and all its checks and thresholds hold. */
@DaybreakTest
class K6ScriptsTest {

    @LocalServerPort
    int port;

    @Test
    void smokeWalksThroughTheContract() {
        K6Result result = script("smoke").run();

        assertSound(result);
        assertThat(result.count("bookings_accepted")).isEqualTo(2);
        assertThat(result.count("seats_taken")).isEqualTo(1);
    }

    @Test
    void surgeSellsEverySeatOnce() {
        K6Result result = script("surge").iterations(1000).run();

        assertSound(result);
        assertThat(result.count("bookings_accepted"))
                .isEqualTo(result.count("seats_taken"))
                .isBetween(380L, 420L);
        assertThat(result.count("bookings_refused")).isPositive();
    }

    @Test
    void browseReadsConditionallyAndBooksAndCancels() {
        K6Result result = script("browse")
                .env("THINK", "0.001")
                .env("BOOKING_SHARE", "0.3")
                .iterations(200)
                .run();

        assertSound(result);
        assertThat(result.metrics().get("lists_not_modified").get("passes")).isPositive();
        assertThat(result.count("bookings_cancelled")).isPositive();
        assertThat(result.count("seats_taken"))
                .isEqualTo(result.count("bookings_accepted") - result.count("bookings_cancelled"));
    }

    @Test
    void aRetryStormMakesOneAppointmentPerKey() {
        K6Result result = script("retry-storm").iterations(12).run();

        assertSound(result);
        assertThat(result.count("bookings_accepted"))
                .isEqualTo(result.count("seats_taken"))
                .isEqualTo(12);
    }

    static K6 script(String name, String baseUrl) {
        return K6.script(Path.of("k6", name + ".js")).env("BASE_URL", baseUrl).env("SETTLE", "0");
    }

    private K6 script(String name) {
        return script(name, "http://127.0.0.1:" + port);
    }

    private static void assertSound(K6Result result) {
        assertThat(result.exceptions()).isEmpty();
        assertThat(result.failedThresholds()).extracting(Verdict::toString).isEmpty();
        assertThat(result.checks())
                .isNotEmpty()
                .allSatisfy((name, check) -> assertThat(check.failed()).as(name).isZero());
        assertThat(result.output().get("stdout")).contains("SOUND:");
    }
}
