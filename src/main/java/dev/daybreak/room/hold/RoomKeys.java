package dev.daybreak.room.hold;

import dev.daybreak.room.TimeRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Names in Redis. The hash tag keeps all of a room in one slot of a cluster, as one script call touches many. */
final class RoomKeys {

    /** Zones differ from UTC by multiples of this, so that what begins on the grid begins with a cell. */
    private static final long ZONE_STEP_MINUTES = 15;

    /** The rooms of which something may be held, by how long. */
    static final String ROOMS = "room-holds:rooms";

    private final long cellSeconds;

    /** @param grid which ranges begin and end at multiples of, local time */
    RoomKeys(Duration grid) {
        this.cellSeconds = 60 * greatestCommonDivisor(grid.toMinutes(), ZONE_STEP_MINUTES);
    }

    private static long greatestCommonDivisor(long one, long other) {
        return other == 0 ? one : greatestCommonDivisor(other, one % other);
    }

    /** Hold ids with their ranges, by expiry. */
    String holds(long roomId) {
        return room(roomId) + "holds";
    }

    /** Ranges that are being reserved, by the time at which nobody believes it any more. */
    String claims(long roomId) {
        return room(roomId) + "claims";
    }

    String hold(long roomId, long holdId) {
        return room(roomId) + "hold:" + holdId;
    }

    String turns(long roomId, String client) {
        return room(roomId) + "turns:" + client;
    }

    /** Every cell that the range touches. */
    List<String> cells(long roomId, TimeRange range) {
        long first = Math.floorDiv(range.start().getEpochSecond(), cellSeconds);
        long last = Math.floorDiv(range.end().getEpochSecond() - 1, cellSeconds);
        var cells = new ArrayList<String>();
        for (long cell = first; cell <= last; cell++) {
            cells.add(room(roomId) + "cell:" + cell * cellSeconds);
        }
        return cells;
    }

    /** What a client holds of all rooms. */
    static String client(String client) {
        return "room-holds:of:" + client;
    }

    private static String room(long roomId) {
        return "{room:" + roomId + "}:";
    }
}
