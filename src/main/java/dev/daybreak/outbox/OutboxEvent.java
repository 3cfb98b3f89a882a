package dev.daybreak.outbox;

import java.time.Instant;
import java.util.UUID;

/**
 * Something that has happened and is committed.
 *
 * @param id the same on every attempt
 * @param sequence rises from one event of an aggregate to the next
 * @param payload a JSON object; docs/events.md says what is in it
 */
public record OutboxEvent(
        UUID id,
        long sequence,
        String aggregateType,
        String aggregateId,
        String type,
        String payload,
        Instant createdAt) {}
