package dev.daybreak.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * When a doctor works on a day and how that time is cut into slots.
 *
 * @param slotMinutes 0 if it is not cut at all
 * @param breaks inside the hours, not overlapping; kept in order of time, so that equal hours are equal values
 */
record WorkingHours(MinuteRange hours, int slotMinutes, int capacity, List<MinuteRange> breaks) {

    WorkingHours {
        breaks = breaks.stream()
                .sorted(Comparator.comparingInt(MinuteRange::start))
                .toList();
    }

    private static final int FLEXIBLE = 0;

    /** Hours that are not cut into slots, but open for times of several lengths. */
    static WorkingHours flexible(MinuteRange hours, List<MinuteRange> breaks) {
        return new WorkingHours(hours, FLEXIBLE, 1, breaks);
    }

    boolean isFlexible() {
        return slotMinutes == FLEXIBLE;
    }

    ScheduleMode mode() {
        return isFlexible() ? ScheduleMode.FLEXIBLE : ScheduleMode.FIXED;
    }

    /** The working time between the breaks, in order; each piece begins a grid of slots of its own. */
    List<MinuteRange> pieces() {
        var pieces = new ArrayList<MinuteRange>();
        int from = hours.start();
        for (MinuteRange pause : breaks) {
            if (from < pause.start()) {
                pieces.add(new MinuteRange(from, pause.start()));
            }
            from = pause.end();
        }
        if (from < hours.end()) {
            pieces.add(new MinuteRange(from, hours.end()));
        }
        return pieces;
    }

    boolean overlaps(WorkingHours other) {
        List<MinuteRange> others = other.pieces();
        return pieces().stream().anyMatch(piece -> others.stream().anyMatch(piece::overlaps));
    }
}
