package dev.daybreak.platform.data;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Limits of the database access that Spring Boot has no property for; sizes and waits of the pool are {@code
 * spring.r2dbc.pool.*}.
 *
 * <p>The time limits are kept by PostgreSQL itself. A limit kept by the client would cancel a transaction in the middle
 * and may hand an open one to the next user of the connection.
 *
 * @param maxPendingAcquire how many callers may wait for a connection; one more is refused at once. At 20 connections and
 *     2 ms a statement, 1,000 waiting callers are served in a tenth of a second
 * @param statementTimeout the longest a statement may run; bookings take milliseconds, filling the slots of a large
 *     clinic takes seconds
 * @param lockTimeout the longest a statement may wait for a lock; a batch holds its slots for milliseconds
 * @param idleInTransactionTimeout when PostgreSQL ends a session whose transaction has been forgotten, releasing its
 *     locks
 */
@ConfigurationProperties("daybreak.database")
record DatabaseSettings(
        @DefaultValue("1000") int maxPendingAcquire,
        @DefaultValue("10s") Duration statementTimeout,
        @DefaultValue("3s") Duration lockTimeout,
        @DefaultValue("10s") Duration idleInTransactionTimeout) {

    // What PostgreSQL may take, and a while for the way there and back.
    private static final Duration FOR_THE_WAY = Duration.ofSeconds(5);

    DatabaseSettings {
        Assert.isTrue(maxPendingAcquire > 0, "daybreak.database.max-pending-acquire must be positive");
        // Below a millisecond PostgreSQL would read 0: no limit at all.
        Assert.isTrue(statementTimeout.toMillis() > 0, "daybreak.database.statement-timeout must be 1ms or more");
        Assert.isTrue(lockTimeout.toMillis() > 0, "daybreak.database.lock-timeout must be 1ms or more");
        Assert.isTrue(
                idleInTransactionTimeout.toMillis() > 0,
                "daybreak.database.idle-in-transaction-timeout must be 1ms or more");
    }

    /** After which silence a connection is given up that has been asked something. */
    Duration answerTimeout() {
        return statementTimeout.plus(FOR_THE_WAY);
    }
}
