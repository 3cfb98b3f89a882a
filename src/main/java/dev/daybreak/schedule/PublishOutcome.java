package dev.daybreak.schedule;

/** What became of a timetable that somebody wanted to publish. */
sealed interface PublishOutcome {

    /**
     * The timetable is in force; or would be, if it was tried only.
     *
     * @param created slots made
     * @param existing slots that were there before
     * @param skipped slots that the changing of the clocks leaves no time for
     */
    record Published(long created, long existing, long skipped) implements PublishOutcome {}

    /** Nothing was published, because the doctor works at that time already. */
    record Overlap(Schedule other) implements PublishOutcome {}

    record NoSuchDoctor() implements PublishOutcome {}
}
