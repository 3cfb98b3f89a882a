/**
 * The embedded default: where no PostgreSQL or no Redis is configured, the missing one is started beside this process,
 * durable, on loopback, with its files in the data folder. One running instance owns a data folder; servers that a
 * killed instance left behind on it are stopped before new ones start.
 */
@NullMarked
package dev.daybreak.embedded;

import org.jspecify.annotations.NullMarked;
