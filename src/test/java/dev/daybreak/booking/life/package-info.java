/** Random lives of appointments: one after the other against a model, and all at once against the committed rows. */
@NullMarked
package dev.daybreak.booking.life;

import org.jspecify.annotations.NullMarked;
