/** What stands between the service and its servers, or in their place, when there is more of everything. */
@NullMarked
package dev.daybreak.scaling;

import org.jspecify.annotations.NullMarked;
