package dev.daybreak.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * When a doctor works on a day and how that time is cut into slots.
 *
 * @param breaks inside the hours, not overlapping; kept in order of time, so that equal hours are equal values
 */
record WorkingHours(MinuteRange hours, int slotMinutes, int capacity, List<MinuteRange> breaks) {

    WorkingHours {
        breaks = breaks.stream()
                .sorted(Comparator.comparingInt(MinuteRange::start))
                .toList();
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
