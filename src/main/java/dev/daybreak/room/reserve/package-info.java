/**
 * Reserving rooms, and changing what is reserved: the queue of each room, the passwords, the calls. Has a few connections of its own,
 * which waiting for a room takes up and nothing else does.
 */
@NullMarked
package dev.daybreak.room.reserve;

import org.jspecify.annotations.NullMarked;
