/**
 * Login by a name and a password, for the clinic's administration, and tokens for development. Owns the keys
 * {@code login:token:…} and {@code {@code login:attempts:…}#123;login{@code login:attempts:…}#125;:attempts:…} in Redis; promises that a token which was logged out or has expired counts
 * nowhere from the next call on.
 */
@NullMarked
package dev.daybreak.admin.login;

import org.jspecify.annotations.NullMarked;
