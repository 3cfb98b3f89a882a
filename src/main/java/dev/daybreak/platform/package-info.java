/** What is only technical: problem responses, validation, routes and their description. No word of the clinic's rules. */
@NullMarked
package dev.daybreak.platform;

import org.jspecify.annotations.NullMarked;
