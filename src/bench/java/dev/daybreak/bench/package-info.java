/**
 * Compares the ways to guard a seat on a real, durable PostgreSQL, and writes the result to {@code docs/}. Its tables are its own,
 * {@code bench_*}, shaped like the service's.
 */
@NullMarked
package dev.daybreak.bench;

import org.jspecify.annotations.NullMarked;
