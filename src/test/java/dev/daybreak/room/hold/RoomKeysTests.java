package dev.daybreak.room.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.room.TimeRange;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoomKeysTests {

    @ParameterizedTest
    @CsvSource({"15, 60, 4", "30, 60, 4", "60, 120, 8", "20, 60, 12", "5, 15, 3", "1, 15, 15"})
    void hasACellForEachStepThatRangesMayShare(int grid, int minutes, int cells) {
        Instant start = Instant.parse("2026-10-12T07:00:00Z");

        assertThat(new RoomKeys(Duration.ofMinutes(grid))
                        .cells(7, new TimeRange(start, start.plus(Duration.ofMinutes(minutes)))))
                .hasSize(cells);
    }

    @Test
    void rangesThatTouchShareNoCellInAnyZone() {
        var keys = new RoomKeys(Duration.ofHours(1));
        // An hour of Kathmandu, a quarter past by UTC.
        Instant nine = Instant.parse("2026-10-12T03:15:00Z");
        Instant ten = nine.plus(Duration.ofHours(1));

        assertThat(keys.cells(7, new TimeRange(nine, ten)))
                .doesNotContainAnyElementsOf(keys.cells(7, new TimeRange(ten, ten.plus(Duration.ofHours(1)))));
    }

    @Test
    void keepsARoomInOneSlotOfACluster() {
        var keys = new RoomKeys(Duration.ofMinutes(15));
        Instant start = Instant.parse("2026-10-12T07:00:00Z");

        assertThat(keys.cells(7, new TimeRange(start, start.plusSeconds(3600))))
                .allMatch(key -> key.startsWith("{room:7}:"));
        assertThat(new String[] {keys.holds(7), keys.claims(7), keys.hold(7, 1), keys.turns(7, "127.0.0.1")})
                .allMatch(key -> key.startsWith("{room:7}:"));
    }
}
