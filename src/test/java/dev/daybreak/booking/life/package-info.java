/** Random lives of appointments, one step after the other against a model. Those of many at once are in {@code faults}. */
@NullMarked
package dev.daybreak.booking.life;

import org.jspecify.annotations.NullMarked;
