/** Many requests, one call: what arrives while a call runs is gathered for the next. */
@NullMarked
package dev.daybreak.platform.batch;

import org.jspecify.annotations.NullMarked;
