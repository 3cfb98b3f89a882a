package dev.daybreak.schedule;

/** How working hours are offered. */
enum ScheduleMode {
    /** As slots of one length on a fixed grid. */
    FIXED
}
