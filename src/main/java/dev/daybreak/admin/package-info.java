/**
 * What the clinic's staff and operators see beyond the features' own admin calls: the audit of the invariants, the audit
 * trail, the settings in force. Owns no table; the audit reads those of all features, which nothing else may.
 */
@NullMarked
package dev.daybreak.admin;

import org.jspecify.annotations.NullMarked;
