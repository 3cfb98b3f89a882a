/** How Redis is called: bounded, quick to give up, and left alone while it is away. */
@NullMarked
package dev.daybreak.platform.redis;

import org.jspecify.annotations.NullMarked;
