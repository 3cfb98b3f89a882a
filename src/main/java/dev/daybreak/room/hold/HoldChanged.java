package dev.daybreak.room.hold;

import dev.daybreak.room.TimeRange;

/** A hold of this range was made, extended or ended. Published to this process only. */
public record HoldChanged(long roomId, TimeRange range) {}
