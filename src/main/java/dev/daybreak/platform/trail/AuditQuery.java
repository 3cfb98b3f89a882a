package dev.daybreak.platform.trail;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which entries to read; what is null does not matter.
 *
 * @param subjectId only with a type
 * @param from no earlier than this
 * @param to before this
 * @param before only entries with a smaller id: the last of the page before
 */
public record AuditQuery(
        @Nullable String actor,
        @Nullable String subjectType,
        @Nullable Long subjectId,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable Long before,
        int limit) {}
