/**
 * The passwords that reservations are changed with: hashed by bcrypt off the event loops, and not to be guessed, as wrong ones are
 * counted. Owns the keys {@code {room-passwords}:…} in Redis; without Redis each instance counts for itself.
 */
@NullMarked
package dev.daybreak.room.password;

import org.jspecify.annotations.NullMarked;
