/** Access to PostgreSQL: the pool and its limits, and migration over a JDBC address derived from the R2DBC one. */
@NullMarked
package dev.daybreak.platform.data;

import org.jspecify.annotations.NullMarked;
