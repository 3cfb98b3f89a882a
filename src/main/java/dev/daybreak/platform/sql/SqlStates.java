package dev.daybreak.platform.sql;

import io.r2dbc.postgresql.api.PostgresqlException;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.pool.PoolAcquirePendingLimitException;
import reactor.pool.PoolAcquireTimeoutException;

/**
 * What a failure of the database means, by SQLSTATE: the driver and Spring spread one SQLSTATE over several exception
 * classes, so classes tell nothing. Every method looks through the causes.
 */
public final class SqlStates {

    public static final String UNIQUE_VIOLATION = "23505";
    public static final String FOREIGN_KEY_VIOLATION = "23503";
    public static final String CHECK_VIOLATION = "23514";
    public static final String EXCLUSION_VIOLATION = "23P01";
    public static final String SERIALIZATION_FAILURE = "40001";
    public static final String DEADLOCK = "40P01";
    public static final String LOCK_TIMEOUT = "55P03";
    public static final String STATEMENT_TIMEOUT = "57014";

    private static final Set<String> TRANSIENT_CONFLICTS = Set.of(SERIALIZATION_FAILURE, DEADLOCK);
    private static final Set<String> TIMEOUTS = Set.of(LOCK_TIMEOUT, STATEMENT_TIMEOUT);
    // Connection exceptions, too few resources, errors of the system PostgreSQL runs on.
    private static final Set<String> OUTAGE_CLASSES = Set.of("08", "53", "58");

    private SqlStates() {}

    /** The SQLSTATE PostgreSQL gave, or null if the failure does not come from there. */
    public static @Nullable String sqlState(Throwable failure) {
        R2dbcException cause = cause(failure, R2dbcException.class);
        return cause == null ? null : cause.getSqlState();
    }

    /** The name of the constraint that refused a row, or null. */
    public static @Nullable String constraintName(Throwable failure) {
        PostgresqlException cause = cause(failure, PostgresqlException.class);
        return cause == null
                ? null
                : cause.getErrorDetails().getConstraintName().orElse(null);
    }

    /** Deadlock or serialization failure: the same transaction, tried again, may well succeed. */
    public static boolean isTransientConflict(Throwable failure) {
        String state = sqlState(failure);
        return state != null && TRANSIENT_CONFLICTS.contains(state);
    }

    /** PostgreSQL gave up waiting, for a lock or for the statement to finish. */
    public static boolean isTimeout(Throwable failure) {
        String state = sqlState(failure);
        return state != null && TIMEOUTS.contains(state);
    }

    /** The database works, but has more to do than it can: trying again soon makes sense. */
    public static boolean isOverload(Throwable failure) {
        return isTransientConflict(failure)
                || isTimeout(failure)
                || cause(failure, PoolAcquirePendingLimitException.class) != null;
    }

    /** The database cannot be reached, refuses connections, or none came free in time. */
    public static boolean isUnavailable(Throwable failure) {
        String state = sqlState(failure);
        if (state != null) {
            return OUTAGE_CLASSES.contains(state.substring(0, Math.min(2, state.length()))) || state.startsWith("57P0");
        }
        // Without a SQLSTATE: the driver lost the connection, or the pool (which has none to give) timed out.
        return cause(failure, R2dbcNonTransientResourceException.class) != null
                || cause(failure, PoolAcquireTimeoutException.class) != null
                || cause(failure, R2dbcTimeoutException.class) != null;
    }

    private static <T> @Nullable T cause(Throwable failure, Class<T> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }
}
