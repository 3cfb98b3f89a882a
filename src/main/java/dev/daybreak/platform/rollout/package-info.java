/** What makes a restart go unnoticed: an instance is warm before it is ready, and is left before it stops. */
@NullMarked
package dev.daybreak.platform.rollout;

import org.jspecify.annotations.NullMarked;
