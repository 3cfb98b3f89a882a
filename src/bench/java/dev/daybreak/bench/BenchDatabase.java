package dev.daybreak.bench;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * The PostgreSQL of the bench: the one of {@code spring.r2dbc.url}, or else an embedded one that is durable as a real one, with a pool
 * of 20 connections. Owns the tables {@code bench_*}.
 */
final class BenchDatabase implements AutoCloseable {

    static final int POOL = 20;

    // No CHECK on the count: what a guard does wrong must show.
    private static final String SCHEMA = """
            DROP TABLE IF EXISTS bench_outbox, bench_appointment, bench_slot;
            CREATE TABLE bench_slot (
                id           bigint PRIMARY KEY,
                start_at     timestamptz NOT NULL DEFAULT now() + interval '1 day',
                opens_at     timestamptz NOT NULL DEFAULT now(),
                capacity     integer NOT NULL,
                booked_count integer NOT NULL DEFAULT 0,
                version      bigint  NOT NULL DEFAULT 0
            ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
            CREATE TABLE bench_appointment (
                id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                slot_id         bigint NOT NULL REFERENCES bench_slot,
                patient_id      bigint NOT NULL,
                status          text   NOT NULL,
                idempotency_key text   NOT NULL UNIQUE,
                created_at      timestamptz NOT NULL DEFAULT now()
            );
            CREATE UNIQUE INDEX bench_appointment_active ON bench_appointment (slot_id, patient_id)
                WHERE status IN ('HELD', 'BOOKED');
            CREATE TABLE bench_outbox (
                id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
                aggregatetype text  NOT NULL,
                aggregateid   text  NOT NULL,
                type          text  NOT NULL,
                payload       jsonb NOT NULL,
                created_at    timestamptz NOT NULL DEFAULT now()
            )""";

    private static final String SEED = """
            INSERT INTO bench_slot (id, capacity) SELECT id, %d FROM generate_series(1, %d) AS id""";

    private static final String OVERSOLD = """
            SELECT coalesce(sum(greatest(0, booked - capacity)), 0)::bigint AS n
            FROM bench_slot
            CROSS JOIN LATERAL (SELECT count(*) AS booked FROM bench_appointment WHERE slot_id = bench_slot.id) AS appointments""";

    private static final String APPOINTMENTS = "SELECT count(*) AS n FROM bench_appointment";

    private final @Nullable EmbeddedPostgres embedded;
    private final ConnectionPool pool;
    private final DatabaseClient client;
    private final R2dbcTransactionManager transactions;

    private BenchDatabase(@Nullable EmbeddedPostgres embedded, ConnectionFactoryOptions options) {
        this.embedded = embedded;
        this.pool = new ConnectionPool(ConnectionPoolConfiguration.builder(ConnectionFactories.get(options))
                .initialSize(POOL)
                .maxSize(POOL)
                .build());
        this.client = DatabaseClient.create(pool);
        this.transactions = new R2dbcTransactionManager(pool);
        pool.warmup().block();
    }

    static BenchDatabase open() throws IOException {
        Optional<String> url = setting("spring.r2dbc.url");
        return url.isPresent() ? new BenchDatabase(null, configured(url.get())) : embedded();
    }

    private static ConnectionFactoryOptions configured(String url) {
        var options = ConnectionFactoryOptions.builder().from(ConnectionFactoryOptions.parse(url));
        setting("spring.r2dbc.username").ifPresent(user -> options.option(ConnectionFactoryOptions.USER, user));
        setting("spring.r2dbc.password").ifPresent(word -> options.option(ConnectionFactoryOptions.PASSWORD, word));
        return options.build();
    }

    private static BenchDatabase embedded() throws IOException {
        EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start();
        return new BenchDatabase(
                postgres,
                ConnectionFactoryOptions.parse(
                        "r2dbc:postgresql://postgres@localhost:" + postgres.getPort() + "/postgres"));
    }

    private static Optional<String> setting(String name) {
        String variable = name.toUpperCase().replace('.', '_');
        return Optional.ofNullable(System.getProperty(name)).or(() -> Optional.ofNullable(System.getenv(variable)));
    }

    DatabaseClient client() {
        return client;
    }

    TransactionalOperator transaction(int isolationLevel) {
        var definition = new DefaultTransactionDefinition();
        definition.setIsolationLevel(isolationLevel);
        return TransactionalOperator.create(transactions, definition);
    }

    TransactionalOperator transaction() {
        return transaction(TransactionDefinition.ISOLATION_READ_COMMITTED);
    }

    /** The server's version, once it is sure that a commit is on the disk when it is acknowledged. */
    String versionOfDurableServer() {
        for (String name : new String[] {"fsync", "synchronous_commit", "full_page_writes"}) {
            if (show(name).equals("off")) {
                throw new IllegalStateException(name + " is off: the figures would be those of another database");
            }
        }
        return show("server_version");
    }

    /** Starts afresh with slots 1 to {@code slots}. */
    void seed(int slots, int capacity) {
        execute(SCHEMA);
        execute(SEED.formatted(capacity, slots));
        execute("ANALYZE bench_slot");
    }

    long appointments() {
        return number(APPOINTMENTS);
    }

    /** Appointments beyond the seats of their slot. */
    long oversold() {
        return number(OVERSOLD);
    }

    @Override
    public void close() throws IOException {
        execute("DROP TABLE IF EXISTS bench_outbox, bench_appointment, bench_slot");
        pool.dispose();
        if (embedded != null) {
            embedded.close();
        }
    }

    private String show(String name) {
        return client.sql("SHOW " + name)
                .map(row -> row.get(0, String.class))
                .one()
                .block();
    }

    private long number(String sql) {
        return client.sql(sql).map(row -> row.get("n", Long.class)).one().block();
    }

    private void execute(String sql) {
        client.sql(sql).then().block();
    }
}
