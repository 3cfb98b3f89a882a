/**
 * The pages for people: files of the class path's folder {@code web}, read once at start and served from memory. They know the
 * service only by its API, and the service knows nothing of them.
 */
@NullMarked
package dev.daybreak.pages;

import org.jspecify.annotations.NullMarked;
