/**
 * Login by a name and a password, for the clinic's administration, and tokens for development. Owns the keys
 * {@code login:token:…} in Redis; promises that a token which was logged out or has expired counts nowhere from the next call on.
 */
@NullMarked
package dev.daybreak.admin.login;

import org.jspecify.annotations.NullMarked;
