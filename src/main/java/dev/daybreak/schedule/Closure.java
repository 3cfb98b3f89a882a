package dev.daybreak.schedule;

import org.jspecify.annotations.Nullable;

/**
 * A time at which no patients are taken.
 *
 * @param doctorId whose; null for every doctor of the clinic
 */
record Closure(
        long id,
        @Nullable Long doctorId,
        ClosureRange range,
        @Nullable String reason) {}
