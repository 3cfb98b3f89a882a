/**
 * Passwords that people choose: hashed by bcrypt off the event loops, and not to be guessed, as wrong ones are counted. Owns the keys
 * {@code {<name>}:address:…} and {@code {<name>}:subject:…} in Redis, {@code name} being whose passwords they are; without Redis each
 * instance counts for itself.
 */
@NullMarked
package dev.daybreak.platform.password;

import org.jspecify.annotations.NullMarked;
