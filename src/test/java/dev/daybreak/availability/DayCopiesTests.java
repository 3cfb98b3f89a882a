package dev.daybreak.availability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.daybreak.MutableClock;
import dev.daybreak.availability.day.DoctorDay;
import dev.daybreak.availability.day.SlotJson;
import dev.daybreak.schedule.Slot;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

class DayCopiesTests {

    private static final Instant NOW = Instant.parse("2026-10-01T08:00:00Z");
    private static final DoctorDay DAY = new DoctorDay(12, LocalDate.of(2026, 10, 12), ZoneOffset.UTC);

    private final MutableClock clock = new MutableClock();
    private final SlotJson json = new SlotJson(JsonMapper.builder().build());
    private final List<CompletableFuture<DayList>> loads = new ArrayList<>();

    @BeforeEach
    void stopTheClock() {
        clock.set(NOW);
    }

    private DayCopies copies(Duration ttl, int max) {
        var settings = new ListSettings(Duration.ofMinutes(1), ttl, max, 10);
        return new DayCopies(settings, json, clock, day -> {
            var load = new CompletableFuture<DayList>();
            loads.add(load);
            return Mono.fromFuture(load);
        });
    }

    @Test
    void loadsOnceForAHundredWhoAskAndFinishesAlthoughTheFirstLeaves() {
        DayCopies copies = copies(Duration.ofMinutes(1), 10);
        List<CompletableFuture<DayList>> asked = IntStream.range(0, 100)
                .mapToObj(i -> copies.find(DAY).toFuture())
                .toList();
        asked.getFirst().cancel(true);

        assertThat(loads).hasSize(1);
        loads.getFirst().complete(list(slot(0, 5)));

        assertThat(asked.subList(1, 100))
                .allSatisfy(answer -> assertThat(answer.join()).isSameAs(copies.peek(DAY)));
    }

    @Test
    void aFailedLoadIsTriedAgain() {
        DayCopies copies = copies(Duration.ofMinutes(1), 10);
        var asked = copies.find(DAY).toFuture();
        loads.getFirst().completeExceptionally(new IllegalStateException("away"));
        assertThatThrownBy(asked::join).hasRootCauseMessage("away");

        var again = copies.find(DAY).toFuture();
        loads.get(1).complete(list(slot(0, 5)));
        assertThat(again.join()).isNotNull();
    }

    @Test
    void aChangeThatArrivesDuringALoadWinsOverWhatWasReadBefore() {
        DayCopies copies = copies(Duration.ofMinutes(1), 10);
        var asked = copies.find(DAY).toFuture();
        copies.apply(DAY, slot(2, 3));
        copies.apply(DAY, slot(1, 4));

        loads.getFirst().complete(list(slot(0, 5)));

        assertThat(text(asked.join())).contains("\"remaining\":3").contains("\"version\":2");
    }

    @Test
    void anOlderChangeDoesNotUndoWhatWasRead() {
        DayCopies copies = copies(Duration.ofMinutes(1), 10);
        var asked = copies.find(DAY).toFuture();
        copies.apply(DAY, slot(1, 4));
        loads.getFirst().complete(list(slot(2, 3)));
        copies.apply(DAY, slot(1, 4));

        assertThat(text(asked.join())).contains("\"remaining\":3");
        assertThat(text(copies.peek(DAY))).contains("\"remaining\":3");
    }

    @Test
    void aCopyTakesChangesAndEndsByItsTimeByTheClockAndByDropping() {
        DayCopies copies = copies(Duration.ofMinutes(1), 10);
        copies.find(DAY).toFuture();
        loads.getFirst().complete(list(slot(0, 5)));
        copies.apply(DAY, slot(1, 0));
        assertThat(text(copies.peek(DAY))).isEqualTo("[]");

        clock.set(Instant.parse("2026-10-12T07:00:00Z"));
        assertThat(copies.peek(DAY)).isNull();
        clock.set(NOW);
        assertThat(copies.peek(DAY)).isNotNull();
        copies.drop(DAY);
        assertThat(copies.peek(DAY)).isNull();

        DayCopies brief = copies(Duration.ZERO, 10);
        brief.find(DAY).toFuture();
        loads.getLast().complete(list(slot(0, 5)));
        assertThat(brief.peek(DAY)).isNull();
    }

    @Test
    void keepsNoMoreThanItMay() {
        DayCopies copies = copies(Duration.ofMinutes(1), 100);
        for (int doctor = 1; doctor <= 1_000; doctor++) {
            copies.find(new DoctorDay(doctor, DAY.date(), DAY.zone())).toFuture();
            loads.getLast().complete(list(slot(0, 5)));
            assertThat(copies.size()).isLessThanOrEqualTo(101);
        }
    }

    private DayList list(Slot slot) {
        return DayList.of(List.of(slot), NOW, json);
    }

    private static Slot slot(long version, int remaining) {
        Instant start = Instant.parse("2026-10-12T07:00:00Z");
        return new Slot(1, 12, start, start.plusSeconds(900), 5, 5 - remaining, Instant.EPOCH, false, version);
    }

    private static String text(DayList list) {
        return new String(list.rendition(false, false).body(), StandardCharsets.UTF_8);
    }
}
