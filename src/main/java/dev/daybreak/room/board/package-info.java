/**
 * The day's board: who is in which room and when, as a list or live, with no more names than the clinic allows. Owns no table and
 * changes nothing; owns the Redis channel {@code daybreak:rooms}.
 */
@NullMarked
package dev.daybreak.room.board;

import org.jspecify.annotations.NullMarked;
