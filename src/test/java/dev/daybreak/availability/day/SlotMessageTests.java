package dev.daybreak.availability.day;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.daybreak.schedule.Slot;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotMessageTests {

    private static final Instant START = Instant.parse("2026-10-12T07:00:00.000001Z");

    @Test
    void carriesSlotsAsTheyAre() {
        var open = new Slot(
                1, 12, START, START.plusSeconds(900), 1_000_000, 7, Instant.EPOCH.minusNanos(1_000), false, 17);
        var closed = new Slot(Long.MAX_VALUE, 1, START, START.plusSeconds(60), 1, 0, START, true, Long.MAX_VALUE);

        byte[] message = SlotMessage.write(List.of(open, closed));

        assertThat(SlotMessage.slots(message)).containsExactly(open, closed);
    }

    @Test
    void aSignOfLifeHasNoSlots() {
        assertThat(SlotMessage.slots(bytes("[]"))).isEmpty();
    }

    @Test
    void takesFieldsOfALaterReleaseAndRefusesNonsense() {
        assertThat(SlotMessage.slots(bytes("[[1,2,3,4,5,6,7,0,9,10]]"))).hasSize(1);
        for (String nonsense : List.of("", "x", "{}", "[[1,2]]", "[[1,2,3,4,5000000000,6,7,0,9]]")) {
            assertThatThrownBy(() -> SlotMessage.slots(bytes(nonsense)))
                    .as(nonsense)
                    .isInstanceOf(RuntimeException.class);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
