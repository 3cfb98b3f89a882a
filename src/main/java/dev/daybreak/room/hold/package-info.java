/**
 * Ranges of rooms that are held while somebody fills in the form. They live in Redis and nowhere else, and are a courtesy among
 * people: PostgreSQL alone decides who gets a room. Owns the Redis keys {@code {room:<id>}:*} and {@code room-holds:*}.
 */
@NullMarked
package dev.daybreak.room.hold;

import org.jspecify.annotations.NullMarked;
