package dev.daybreak.outbox;

/**
 * An event whose turn has come.
 *
 * @param attempts how often it has failed
 */
record Due(int partition, OutboxEvent event, int attempts) {}
