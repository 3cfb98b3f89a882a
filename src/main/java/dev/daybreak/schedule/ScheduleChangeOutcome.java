package dev.daybreak.schedule;

import dev.daybreak.schedule.AppointmentsInTheWay.InTheWay;
import java.util.List;

/** What became of a schedule that the clinic wanted to change or to end. */
sealed interface ScheduleChangeOutcome {

    /**
     * It is as wanted; or would be, if that was tried only.
     *
     * @param created slots made, or brought back
     */
    record Changed(Withdrawal.Done done, long created, SlotPlan plan) implements ScheduleChangeOutcome {}

    /** Nothing was changed, because of these. */
    record Affects(List<InTheWay> appointments) implements ScheduleChangeOutcome {}

    /** Nothing was changed, because the doctor works at that time already. */
    record Overlaps(Schedule other) implements ScheduleChangeOutcome {}

    record NoSuchSchedule() implements ScheduleChangeOutcome {}
}
