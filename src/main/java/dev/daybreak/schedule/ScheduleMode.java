package dev.daybreak.schedule;

/** How working hours are offered. */
enum ScheduleMode {
    /** As slots of one length on a fixed grid. */
    FIXED,
    /** As times of 15, 30 or 45 minutes, at any quarter of an hour. */
    FLEXIBLE
}
