/** The one clock of the service. Nothing else asks the machine for the time. */
@NullMarked
package dev.daybreak.platform.time;

import org.jspecify.annotations.NullMarked;
