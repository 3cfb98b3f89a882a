/**
 * What the HTTP server puts up with: how many connections, how slow, how idle, how large, from which origins; and the headers that
 * tell browsers what pages may do. Knows connections and requests, not what they ask for.
 */
@NullMarked
package dev.daybreak.platform.server;

import org.jspecify.annotations.NullMarked;
