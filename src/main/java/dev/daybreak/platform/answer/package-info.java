/** What is sent: answers whose bytes are ready before they are written. */
@NullMarked
package dev.daybreak.platform.answer;

import org.jspecify.annotations.NullMarked;
