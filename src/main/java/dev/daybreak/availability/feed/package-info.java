/** The live feed: a doctor's day as a stream of events, for any number of clients at the price of one. Owns nothing stored. */
@NullMarked
package dev.daybreak.availability.feed;

import org.jspecify.annotations.NullMarked;
