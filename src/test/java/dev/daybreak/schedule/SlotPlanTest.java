package dev.daybreak.schedule;

import static dev.daybreak.schedule.Hours.clinic;
import static dev.daybreak.schedule.Hours.hours;
import static dev.daybreak.schedule.Hours.plan;
import static dev.daybreak.schedule.Hours.starts;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlotPlanTest {

    private static final String BERLIN = "Europe/Berlin";
    private static final String SPRING = "2026-03-29";
    private static final String AUTUMN = "2026-10-25";

    @Test
    void endsWithTheLastSlotThatFits() {
        SlotPlan plan = plan(hours("09:00-16:45", 20), "2026-10-12", BERLIN);

        assertThat(plan.slots()).hasSize(23);
        assertThat(plan.slots().getLast().startAt()).isEqualTo("2026-10-12T14:20:00Z");
        assertThat(plan.slots().getLast().endAt()).isEqualTo("2026-10-12T14:40:00Z");
    }

    @Test
    void reachesMidnight() {
        SlotPlan plan = plan(hours("22:00-24:00", 30), "2026-10-12", "UTC");

        assertThat(plan.slots()).hasSize(4);
        assertThat(plan.slots().getLast().endAt()).isEqualTo("2026-10-13T00:00:00Z");
    }

    @Test
    void keepsLocalTimeWhenTheClocksChange() {
        var hours = hours("09:00-09:30", 30);

        assertThat(starts(plan(hours, "2026-10-24", BERLIN))).containsExactly("2026-10-24T07:00:00Z");
        assertThat(starts(plan(hours, "2026-10-26", BERLIN))).containsExactly("2026-10-26T08:00:00Z");
    }

    @Test
    void staysAtOneOClockFromOctoberToJanuary() {
        var weekly = new Timetable(
                LocalDate.parse("2026-10-01"),
                LocalDate.parse("2027-01-31"),
                Set.of(DayOfWeek.THURSDAY),
                hours("13:00-13:30", 30));

        assertThat(plan(weekly, BERLIN).slots()).hasSize(18).allSatisfy(slot -> {
            var local = slot.startAt().atZone(ZoneId.of(BERLIN));
            assertThat(local.toLocalTime()).isEqualTo(LocalTime.of(13, 0));
            assertThat(local.getDayOfWeek()).isEqualTo(DayOfWeek.THURSDAY);
        });
    }

    @Test
    void beginsANewGridAfterEachBreak() {
        SlotPlan plan = plan(hours("09:00-12:00", 25, "10:10-10:15"), "2026-10-12", "UTC");

        assertThat(plan.slots().stream().map(slot -> slot.startAt().toString().substring(11, 16)))
                .containsExactly("09:00", "09:25", "10:15", "10:40", "11:05", "11:30");
    }

    @Test
    void skipsTheHourThatDoesNotExist() {
        SlotPlan plan = plan(hours("01:00-04:00", 30), SPRING, BERLIN);

        assertThat(starts(plan))
                .containsExactly(
                        "2026-03-29T00:00:00Z", "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z");
        assertThat(plan.skipped()).isEqualTo(2);
    }

    @Test
    void usesTheRepeatedHourTwice() {
        SlotPlan plan = plan(hours("01:30-03:30", 30), AUTUMN, BERLIN);

        assertThat(starts(plan))
                .containsExactly(
                        "2026-10-24T23:30:00Z",
                        "2026-10-25T00:00:00Z",
                        "2026-10-25T00:30:00Z",
                        "2026-10-25T01:00:00Z",
                        "2026-10-25T01:30:00Z",
                        "2026-10-25T02:00:00Z");
        assertThat(plan.skipped()).isZero();
    }

    @Test
    void leavesOutASlotThatWouldBeginBeforeTheOneBeforeHasEnded() {
        // 01:30 lasts until 03:15 by the new time, over the start at 03:00.
        SlotPlan spring = plan(hours("00:00-06:00", 45), SPRING, BERLIN);
        assertThat(spring.slots()).hasSize(6);
        assertThat(spring.skipped()).isEqualTo(2);

        // The first 02:00 lasts over the second.
        SlotPlan autumn = plan(hours("00:00-06:00", 120), AUTUMN, BERLIN);
        assertThat(starts(autumn))
                .containsExactly("2026-10-24T22:00:00Z", "2026-10-25T00:00:00Z", "2026-10-25T03:00:00Z");
        assertThat(autumn.skipped()).isEqualTo(1);
    }

    @Test
    void neverRunsPastTheEndNorIntoABreakOfALongOrShortDay() {
        assertThat(plan(hours("01:30-02:30", 60), SPRING, BERLIN).slots()).isEmpty();
        assertThat(plan(hours("01:00-05:00", 60, "03:00-03:30"), SPRING, BERLIN).slots())
                .noneMatch(slot -> slot.endAt().toString().equals("2026-03-29T01:30:00Z"));
        // From the first 02:45 an hour leads to the second, through the break at 02:30.
        assertThat(starts(plan(hours("02:00-04:00", 60, "02:30-02:45"), AUTUMN, BERLIN)))
                .containsExactly("2026-10-25T01:45:00Z");
    }

    @Test
    void aDayThatTheZoneLeftOutHasNoSlots() {
        SlotPlan plan = plan(hours("09:00-12:00", 60), "2011-12-30", "Pacific/Apia");

        assertThat(plan.slots()).isEmpty();
        assertThat(plan.skipped()).isEqualTo(3);
    }

    @Test
    void opensFourteenDaysBeforeAtSevenLocalTime() {
        assertThat(plan(hours("09:00-10:00", 60), "2026-10-30", BERLIN)
                        .slots()
                        .getFirst()
                        .opensAt())
                .isEqualTo("2026-10-16T05:00:00Z");
        assertThat(plan(hours("09:00-10:00", 60), "2026-11-09", BERLIN)
                        .slots()
                        .getFirst()
                        .opensAt())
                .isEqualTo("2026-10-26T06:00:00Z");
        assertThat(clinic("Asia/Tokyo").opensAt(LocalDate.parse("2026-10-15"))).isEqualTo("2026-09-30T22:00:00Z");
    }
}
