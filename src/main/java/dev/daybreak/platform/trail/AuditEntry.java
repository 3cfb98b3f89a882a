package dev.daybreak.platform.trail;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A line of the audit trail.
 *
 * @param subject what it was done to: a kind and an id, such as {@code slot:1001}
 * @param before as JSON
 * @param after as JSON
 * @param address the machine it was done from, if that is known
 */
public record AuditEntry(
        long id,
        Instant at,
        String actor,
        @Nullable String address,
        String action,
        String subject,
        @Nullable Object before,
        @Nullable Object after,
        @Nullable String reason) {}
