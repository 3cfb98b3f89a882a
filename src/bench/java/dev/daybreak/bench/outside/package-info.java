/**
 * Measures the running service from outside, over HTTP. Knows nothing of its classes. The load runs on one thread, since it
 * shares the machine with what it measures.
 */
@NullMarked
package dev.daybreak.bench.outside;

import org.jspecify.annotations.NullMarked;
