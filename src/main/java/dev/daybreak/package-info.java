/** Daybreak, an appointment-booking service: one package for each feature, and {@code platform} for what is only technical. */
@NullMarked
package dev.daybreak;

import org.jspecify.annotations.NullMarked;
