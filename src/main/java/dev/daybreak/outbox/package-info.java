/** The events of the features, on their way from the table {@code outbox_event} to whoever consumes them. */
@NullMarked
package dev.daybreak.outbox;

import org.jspecify.annotations.NullMarked;
