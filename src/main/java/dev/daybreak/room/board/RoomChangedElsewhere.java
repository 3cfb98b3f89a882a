package dev.daybreak.room.board;

import dev.daybreak.room.TimeRange;

/** Another instance changed what takes this room within the range. Not published for every change: messages get lost. */
record RoomChangedElsewhere(long roomId, TimeRange range) {}
