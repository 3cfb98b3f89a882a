/**
 * Runs the k6 scripts without k6: a stand-in for the part of its API that the scripts use, on GraalJS, and the tests that run
 * every script with it.
 */
@NullMarked
package dev.daybreak.load;

import org.jspecify.annotations.NullMarked;
