package dev.daybreak.schedule;

import dev.daybreak.schedule.ScheduleChangeOutcome.Changed;

/** What changing or ending a schedule has done. */
record ScheduleChangeView(long withdrawnSlots, long createdSlots, long cancelledAppointments) {

    static final String EXAMPLE = """
            {"withdrawnSlots": 24, "createdSlots": 0, "cancelledAppointments": 2}""";

    static ScheduleChangeView of(Changed changed) {
        return new ScheduleChangeView(
                changed.done().closed(), changed.created(), changed.done().cancelled());
    }
}
