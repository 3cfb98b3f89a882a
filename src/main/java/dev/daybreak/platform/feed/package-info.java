/**
 * Streams of events: what a feature wants watched is read once, encoded once, and sent to any number of clients at the price of
 * one. Knows nothing of what it sends. The limit of open streams is one for all feeds of an instance.
 */
@NullMarked
package dev.daybreak.platform.feed;

import org.jspecify.annotations.NullMarked;
