/**
 * The audit trail: who changed what, when and why. Owns the table {@code audit_entry}. Features write to it inside the transactions of
 * their changes, so that there is no change without its entry and no entry without its change; nothing alters an entry.
 */
@NullMarked
package dev.daybreak.platform.trail;

import org.jspecify.annotations.NullMarked;
