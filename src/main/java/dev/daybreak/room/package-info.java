/**
 * Rooms that are lent out by the hour, and their reservations. Owns the tables {@code room} and {@code reservation} and the functions
 * {@code reserve_room}, {@code move_reservation} and {@code cancel_reservation}; promises that no room has two reservations at a time, that those
 * who ask one instance for a room are served in the order in which they came, and that every change has its outbox row. What is held
 * while somebody types it asks of {@link dev.daybreak.room.HeldRanges}, which may be wrong or away: PostgreSQL alone decides.
 */
@NullMarked
package dev.daybreak.room;

import org.jspecify.annotations.NullMarked;
