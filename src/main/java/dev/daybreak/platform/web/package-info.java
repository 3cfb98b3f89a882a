/** Reading requests, and the table of routes with their description in OpenAPI. */
@NullMarked
package dev.daybreak.platform.web;

import org.jspecify.annotations.NullMarked;
