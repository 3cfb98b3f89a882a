package dev.daybreak.platform.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.R2dbcBadGrammarException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTimeoutException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessResourceFailureException;
import reactor.pool.PoolAcquirePendingLimitException;
import reactor.pool.PoolAcquireTimeoutException;

class SqlStatesTests {

    @ParameterizedTest
    @ValueSource(strings = {"08001", "08006", "57P01", "57P03", "53300", "53100", "58030"})
    void knowsADatabaseThatIsAway(String state) {
        assertThat(SqlStates.isUnavailable(failure(state))).isTrue();
        assertThat(SqlStates.isOverload(failure(state))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"57014", "55P03", "40001", "40P01"})
    void knowsADatabaseThatIsBusy(String state) {
        assertThat(SqlStates.isOverload(failure(state))).isTrue();
        assertThat(SqlStates.isUnavailable(failure(state))).isFalse();
    }

    @Test
    void tellsConflictsFromTimeouts() {
        assertThat(SqlStates.isTransientConflict(failure(SqlStates.DEADLOCK))).isTrue();
        assertThat(SqlStates.isTimeout(failure(SqlStates.DEADLOCK))).isFalse();
        assertThat(SqlStates.isTransientConflict(failure(SqlStates.LOCK_TIMEOUT)))
                .isFalse();
        assertThat(SqlStates.isTimeout(failure(SqlStates.LOCK_TIMEOUT))).isTrue();
    }

    @Test
    void knowsWhatThePoolMeans() {
        assertThat(SqlStates.isOverload(wrapped(new PoolAcquirePendingLimitException(100))))
                .isTrue();
        assertThat(SqlStates.isUnavailable(wrapped(new PoolAcquireTimeoutException(Duration.ofSeconds(1)))))
                .isTrue();
        assertThat(SqlStates.isUnavailable(wrapped(new R2dbcTimeoutException("Connection acquisition timed out"))))
                .isTrue();
    }

    @Test
    void aStatementTimeoutIsNoOutageWhateverItsClass() {
        assertThat(SqlStates.isUnavailable(new R2dbcTimeoutException("canceling statement", "57014")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"XX000", "54000", "55000", "XX002"})
    void anErrorInsideTheServerIsNoOutageThoughTheDriverGivesItThatClass(String state) {
        assertThat(SqlStates.isUnavailable(new R2dbcNonTransientResourceException("internal error", state)))
                .isFalse();
    }

    @Test
    void knowsAConnectionThatWasLost() {
        assertThat(SqlStates.isUnavailable(new R2dbcNonTransientResourceException("Connection unexpectedly closed")))
                .isTrue();
    }

    @Test
    void aMistakeInTheSqlIsNeither() {
        var mistake = new R2dbcBadGrammarException("no such column", "42703");
        assertThat(SqlStates.isUnavailable(mistake)).isFalse();
        assertThat(SqlStates.isOverload(mistake)).isFalse();
        assertThat(SqlStates.sqlState(wrapped(mistake))).isEqualTo("42703");
        assertThat(SqlStates.constraintName(mistake)).isNull();
    }

    private static Throwable failure(String state) {
        return wrapped(new R2dbcTransientResourceException("from the server", state));
    }

    private static Throwable wrapped(Throwable cause) {
        return new DataAccessResourceFailureException("wrapped by Spring", cause);
    }
}
