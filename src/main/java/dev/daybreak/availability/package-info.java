/** The read side: which seats of a doctor's day are left. Owns no table; reads slots from {@code schedule}, changes nothing. */
@NullMarked
package dev.daybreak.availability;

import org.jspecify.annotations.NullMarked;
