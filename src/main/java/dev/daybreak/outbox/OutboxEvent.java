package dev.daybreak.outbox;

import java.time.Instant;
import java.util.UUID;

/**
 * A committed change, as its row in the outbox tells it.
 *
 * @param id the same on every attempt
 * @param sequence rises with the changes of one aggregate
 * @param payload JSON
 */
public record OutboxEvent(
        UUID id,
        long sequence,
        String aggregateType,
        String aggregateId,
        String type,
        String payload,
        Instant createdAt) {}
