package dev.daybreak.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.load.K6Result.Verdict;
import dev.daybreak.load.PaperClinic.Fault;
import org.junit.jupiter.api.Test;

/** The scripts notice a service that breaks its promises, also where its own invariants say that all is well. */
class K6ScriptsTeethTest {

    @Test
    void surgeFailsWhenASlotIsOversold() {
        K6Result result = run("surge", Fault.OVERSELLS, 1000);

        assertThat(result.passed()).isFalse();
        assertThat(result.failedThresholds())
                .extracting(Verdict::metric)
                .contains("seats_unaccounted")
                .anyMatch(metric -> metric.startsWith("bookings_accepted{slot:surge-"));
        assertThat(result.output().get("stdout")).contains("OVERSOLD OR LOST:");
    }

    @Test
    void browseFailsWhenAnAcknowledgedBookingIsLost() {
        K6Result result = run("browse", Fault.LOSES_BOOKINGS, 100);

        assertThat(result.failedThresholds()).extracting(Verdict::metric).contains("seats_unaccounted");
        assertThat(result.output().get("stdout")).contains("OVERSOLD OR LOST:");
    }

    @Test
    void retryStormFailsWhenAKeyMakesTwoAppointments() {
        K6Result result = run("retry-storm", Fault.FORGETS_KEYS, 4);

        assertThat(result.failedThresholds())
                .extracting(Verdict::metric)
                .contains("keys_with_several_appointments", "checks", "seats_unaccounted");
    }

    @Test
    void smokeFailsWhenAKeyMakesTwoAppointments() {
        K6Result result = run("smoke", Fault.FORGETS_KEYS, 1);

        assertThat(result.checks().get("refuses the key for another slot").failed())
                .isEqualTo(1);
        assertThat(result.passed()).isFalse();
    }

    @Test
    void smokeFailsWhenTheServiceFindsAnInvariantBroken() {
        K6Result result = run("smoke", Fault.ADMITS_A_VIOLATION, 1);

        assertThat(result.failedThresholds()).extracting(Verdict::metric).containsExactly("invariant_violations");
        assertThat(result.output().get("stdout")).contains("2 invariant violations");
    }

    @Test
    void retryStormTakesA503WithRetryAfterForAnAnswer() {
        assertThat(run("retry-storm", Fault.SHEDS, 4).passed()).isTrue();
    }

    private static K6Result run(String script, Fault fault, int iterations) {
        try (var clinic = new PaperClinic(fault)) {
            return K6ScriptsTest.script(script, clinic.url())
                    .env("THINK", "0.001")
                    .env("BOOKING_SHARE", "0.5")
                    .iterations(iterations)
                    .run();
        }
    }
}
