/** The threads that do the network's work, shared by everything that has connections. */
@NullMarked
package dev.daybreak.platform.net;

import org.jspecify.annotations.NullMarked;
