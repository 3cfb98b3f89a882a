/**
 * Who calls, and what a route asks of its callers: the credentials of a request become an {@code Actor}, and the rule of a
 * route is an {@code Access}. {@code platform.web} puts the two together, in one place.
 */
@NullMarked
package dev.daybreak.platform.security;

import org.jspecify.annotations.NullMarked;
