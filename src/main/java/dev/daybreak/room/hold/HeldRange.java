package dev.daybreak.room.hold;

import dev.daybreak.room.TimeRange;
import java.time.Instant;

/** A hold as everybody may see it. */
public record HeldRange(long id, long roomId, TimeRange range, Instant expiresAt) {}
