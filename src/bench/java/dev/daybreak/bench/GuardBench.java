package dev.daybreak.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.daybreak.bench.Comparison.Measured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * Measures all guards and writes {@code guards.md} and {@code guards.svg}.
 *
 * <p>System properties: {@code bench.seconds} of each measurement (5), {@code bench.output} folder ({@code docs}), and
 * {@code spring.r2dbc.url}, {@code .username}, {@code .password} of another server than the embedded one.
 */
class GuardBench {

    @Test
    void comparesTheWaysToGuardASeat() throws IOException {
        double seconds = Double.parseDouble(System.getProperty("bench.seconds", "5"));
        Path output = Path.of(System.getProperty("bench.output", "docs"));
        try (BenchDatabase database = BenchDatabase.open()) {
            String server = database.versionOfDurableServer();
            var comparison = new Comparison(database, Duration.ofMillis((long) (seconds * 1000)));
            SeatGuard reference = new ConditionalUpdate(database.client());
            List<Measured> rows = guards(database, reference).stream()
                    .map(comparison::measure)
                    .toList();
            Measured referenceRow = find(rows, reference);
            String table = new GuardTable(rows, referenceRow, server, seconds).markdown();
            Files.createDirectories(output);
            Files.writeString(output.resolve("guards.md"), table);
            Files.writeString(output.resolve("guards.svg"), new GuardChart(rows, referenceRow).svg());
            System.out.println(table);

            assertThat(rows)
                    .filteredOn(row -> row.oversold() > 0)
                    .extracting(Measured::guard)
                    .as("only the naive way oversells")
                    .containsExactly("check, then write");
        }
    }

    private static List<SeatGuard> guards(BenchDatabase database, SeatGuard reference) {
        DatabaseClient client = database.client();
        var seats = new Seats(client);
        TransactionalOperator transaction = database.transaction();
        return List.of(
                new CheckThenWrite(seats, transaction),
                new Serializable(seats, database.transaction(TransactionDefinition.ISOLATION_SERIALIZABLE)),
                new OptimisticVersion(seats, transaction),
                new AdvisoryLock(client, seats, transaction),
                new RowLock(seats, transaction),
                reference,
                new SetBasedBatches(client));
    }

    private static Measured find(List<Measured> rows, SeatGuard guard) {
        return rows.stream()
                .filter(row -> row.guard().equals(guard.name()))
                .findFirst()
                .orElseThrow();
    }
}
