/**
 * The gate before booking: how often a patient may try, and which slots are known to be full. Owns the Redis keys
 * {@code {gate}:rate:*}, {@code {gate}:full:*} and {@code {gate}:marking:*}. A filter only: wrong, empty or dead it costs speed and never a seat.
 */
@NullMarked
package dev.daybreak.admission;

import org.jspecify.annotations.NullMarked;
