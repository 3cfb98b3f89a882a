/**
 * Carries events from the table {@code outbox_event}, which {@code booking} writes, to whoever is meant to know: to Kafka when a
 * broker is configured, otherwise straight to the {@link dev.daybreak.outbox.EventConsumer}s of this process. Owns what says how far an
 * event has come ({@code published_at}, {@code attempts}, {@code next_attempt_at}, {@code dead_at}, {@code last_error}), the table
 * {@code outbox_pruned}, the functions of {@code R__outbox_relay.sql} and the topic. Promises that each event arrives at least once,
 * with the same id every time, and never before an earlier one of its aggregate; that one that cannot be delivered ends as a dead letter
 * and holds up no other aggregate; and that no booking waits for any of it.
 */
@NullMarked
package dev.daybreak.outbox;

import org.jspecify.annotations.NullMarked;
