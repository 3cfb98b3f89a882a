/** What PostgreSQL's errors mean, told by SQLSTATE and constraint name. */
@NullMarked
package dev.daybreak.platform.sql;

import org.jspecify.annotations.NullMarked;
