package dev.daybreak.platform.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.daybreak.DaybreakTest;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.PoolMetrics;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.r2dbc.core.DatabaseClient;

@DaybreakTest
class DatabaseConfigurationTest {

    @Autowired
    ConnectionPool pool;

    @Autowired
    DatabaseClient database;

    @ParameterizedTest
    @CsvSource({
        "statement_timeout, 10s",
        "lock_timeout, 3s",
        "idle_in_transaction_session_timeout, 10s",
        "jit, off",
        "TimeZone, UTC",
    })
    void everySessionHasItsLimits(String setting, String value) {
        assertThat(database.sql("SHOW " + setting).mapValue(String.class).one().block(Duration.ofSeconds(5)))
                .isEqualTo(value);
    }

    @Test
    void theQueueForAConnectionIsBounded() {
        PoolMetrics metrics = pool.getMetrics().orElseThrow();

        assertThat(metrics.getMaxPendingAcquireSize()).isEqualTo(1000);
        assertThat(metrics.getMaxAllocatedSize()).isEqualTo(20);
    }

    @Test
    void thePoolIsWarmAfterTheStart() {
        PoolMetrics metrics = pool.getMetrics().orElseThrow();

        Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> metrics.allocatedSize() >= 4);
    }

    @Test
    void aLimitOfNothingIsRefused() {
        assertThatThrownBy(() -> settings(0, Duration.ofSeconds(1))).hasMessageContaining("max-pending-acquire");
        assertThatThrownBy(() -> settings(1, Duration.ofNanos(1))).hasMessageContaining("statement-timeout");
    }

    private static DatabaseSettings settings(int pending, Duration statement) {
        return new DatabaseSettings(pending, statement, Duration.ofSeconds(1), Duration.ofSeconds(1));
    }
}
