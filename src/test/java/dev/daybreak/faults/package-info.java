/**
 * Two instances under load while something breaks: servers killed, frozen or full, networks cut, clocks wrong, clients gone. Everything
 * that clients asked and were told is recorded, and compared with the committed rows.
 */
@NullMarked
package dev.daybreak.faults;

import org.jspecify.annotations.NullMarked;
