/** The one clock of the service, which nothing else asks the machine for, and work that recurs. */
@NullMarked
package dev.daybreak.platform.time;

import org.jspecify.annotations.NullMarked;
