/** What the cached lists and the live feed share: a doctor's day, a slot as JSON, and the channel between instances. */
@NullMarked
package dev.daybreak.availability.day;

import org.jspecify.annotations.NullMarked;
