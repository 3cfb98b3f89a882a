package dev.daybreak.schedule;

import dev.daybreak.platform.web.Input;
import java.util.ArrayList;
import java.util.List;

/** A break as the client reads and writes it. */
record Break(String startTime, String endTime) {

    static final int MAX_COUNT = 20;

    /** The breaks, which lie inside the hours and do not overlap, or else a violation is noted. */
    static List<MinuteRange> read(Input input, MinuteRange hours) {
        var breaks = new ArrayList<MinuteRange>();

        for (Input entry : input.objects("breaks", MAX_COUNT)) {
            breaks.add(read(entry, hours, List.copyOf(breaks)));
        }
        return breaks;
    }

    private static MinuteRange read(Input entry, MinuteRange hours, List<MinuteRange> before) {
        var pause = new MinuteRange(entry.minuteOfDay("startTime"), entry.minuteOfDay("endTime"));
        if (entry.isSound("startTime", "endTime")) {
            entry.check(pause.length() > 0, "endTime", "after", pause.startTime());
            entry.check(pause.start() >= hours.start(), "startTime", "within", hours);
            entry.check(pause.end() <= hours.end(), "endTime", "within", hours);
            entry.check(before.stream().noneMatch(pause::overlaps), "startTime", "overlap");
        }
        return pause;
    }
}
