/**
 * The read side: which seats of a doctor's day are left, as a list or live. Owns no table and changes nothing; reads slots
 * from {@code schedule}. Owns the Redis keys {@code slots:*} and the channel {@code daybreak:slots}.
 */
@NullMarked
package dev.daybreak.availability;

import org.jspecify.annotations.NullMarked;
