/** The live feed: a doctor's day as a stream of events. Owns nothing stored. */
@NullMarked
package dev.daybreak.availability.feed;

import org.jspecify.annotations.NullMarked;
