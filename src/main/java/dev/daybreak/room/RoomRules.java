package dev.daybreak.room;

import java.time.LocalTime;

/**
 * When rooms may be reserved, for whoever offers times to choose from.
 *
 * @param opens on the clinic's clock
 * @param closes one that is not later than {@code opens} is on the next day
 * @param gridMinutes times begin and end at multiples of it after midnight
 */
record RoomRules(LocalTime opens, LocalTime closes, long gridMinutes, long longestMinutes, int daysAhead) {

    static final String EXAMPLE = """
            {"opens": "07:00:00", "closes": "20:00:00", "gridMinutes": 15, "longestMinutes": 720, "daysAhead": 14}""";

    static RoomRules of(RoomSettings settings) {
        return new RoomRules(
                settings.opens(),
                settings.closes(),
                settings.grid().toMinutes(),
                settings.longestStay().toMinutes(),
                settings.daysAhead());
    }
}
