package dev.daybreak.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

class SlotPlanProperties {

    private static final List<String> ZONES = List.of(
            "UTC",
            "Europe/Berlin",
            "America/New_York",
            "America/St_Johns",
            "Asia/Tokyo",
            "Asia/Beirut", // changes at midnight
            "Australia/Lord_Howe", // changes by half an hour
            "America/Santiago",
            "Pacific/Apia");

    // A week around each change of the clocks in one zone or another, and an ordinary one.
    private static final List<LocalDate> WEEKS = List.of(
            LocalDate.of(2026, 3, 5),
            LocalDate.of(2026, 3, 26),
            LocalDate.of(2026, 4, 2),
            LocalDate.of(2026, 6, 1),
            LocalDate.of(2026, 9, 3),
            LocalDate.of(2026, 10, 1),
            LocalDate.of(2026, 10, 22),
            LocalDate.of(2026, 10, 29),
            LocalDate.of(2011, 12, 27));

    @Property(tries = 500, shrinking = ShrinkingMode.BOUNDED)
    void slotsAreInOrderAndApartAndInsideTheHours(
            @ForAll("zones") String zone, @ForAll("weeks") LocalDate from, @ForAll("hours") WorkingHours hours) {
        SlotPlan plan = Hours.plan(Hours.daily(from, from.plusDays(6), hours), zone);

        Instant free = Instant.MIN;
        for (PlannedSlot slot : plan.slots()) {
            assertThat(slot.startAt()).isAfterOrEqualTo(free);
            assertThat(Duration.between(slot.startAt(), slot.endAt()))
                    .isEqualTo(Duration.ofMinutes(hours.slotMinutes()));
            assertEveryMinuteIsWorked(slot, hours, ZoneId.of(zone));
            free = slot.endAt();
        }
    }

    @Property(tries = 200)
    void anOrdinaryDayHasEverySlotThatFits(@ForAll("hours") WorkingHours hours) {
        SlotPlan plan = Hours.plan(hours, "2026-06-01", "Europe/Berlin");

        int fitting = hours.pieces().stream()
                .mapToInt(piece -> piece.length() / hours.slotMinutes())
                .sum();
        assertThat(plan.slots()).hasSize(fitting);
        assertThat(plan.skipped()).isZero();
    }

    private static void assertEveryMinuteIsWorked(PlannedSlot slot, WorkingHours hours, ZoneId zone) {
        for (Instant minute = slot.startAt(); minute.isBefore(slot.endAt()); minute = minute.plusSeconds(60)) {
            LocalDateTime local = LocalDateTime.ofInstant(minute, zone);
            int minuteOfDay = local.getHour() * 60 + local.getMinute();
            assertThat(hours.pieces())
                    .as("%s in %s", local, zone)
                    .anyMatch(piece -> piece.start() <= minuteOfDay && minuteOfDay < piece.end());
        }
    }

    @Provide
    Arbitrary<String> zones() {
        return Arbitraries.of(ZONES);
    }

    @Provide
    Arbitrary<LocalDate> weeks() {
        return Arbitraries.of(WEEKS);
    }

    @Provide
    Arbitrary<WorkingHours> hours() {
        Arbitrary<List<Integer>> ends = Arbitraries.integers()
                .between(0, 288)
                .map(five -> five * 5)
                .set()
                .ofMinSize(2)
                .ofMaxSize(6)
                .map(set -> set.stream().sorted().toList());
        return Combinators.combine(ends, Arbitraries.integers().between(5, 180)).as(SlotPlanProperties::hours);
    }

    // The first and the last are the hours, each two between them a break.
    private static WorkingHours hours(List<Integer> ends, int slotMinutes) {
        var breaks = new ArrayList<MinuteRange>();
        for (int i = 1; i + 1 < ends.size() - 1; i += 2) {
            breaks.add(new MinuteRange(ends.get(i), ends.get(i + 1)));
        }
        return new WorkingHours(new MinuteRange(ends.getFirst(), ends.getLast()), slotMinutes, 1, breaks);
    }
}
