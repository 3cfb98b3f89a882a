package dev.daybreak.embedded;

import io.r2dbc.spi.ConnectionFactoryOptions;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.util.FileSystemUtils;

/**
 * PostgreSQL beside this process, with its data in {@code postgres} of the data folder. A commit that was acknowledged
 * is on disk.
 *
 * <p>As root the server runs in a user namespace of its own, since it refuses to run as root; its files belong to root.
 */
final class EmbeddedDatabase implements R2dbcConnectionDetails, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedDatabase.class);

    private static final String NAME = "daybreak";
    private static final String USER = "postgres";
    private static final String HOST = "127.0.0.1";
    private static final String PROGRAM = "postgres";
    private static final String PID_FILE = "postmaster.pid";
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

    // The starter passes -F (no fsync) and synchronous_commit=off for the sake of tests; what comes later wins.
    private static final Map<String, String> CONFIGURATION = Map.ofEntries(
            Map.entry("fsync", "on"),
            Map.entry("synchronous_commit", "on"),
            Map.entry("full_page_writes", "on"),
            Map.entry("listen_addresses", HOST),
            Map.entry("unix_socket_directories", ""),
            Map.entry("timezone", "UTC"),
            Map.entry("max_connections", "200"),
            Map.entry("shared_buffers", "256MB"),
            // Bookings write steadily: fewer, longer checkpoints, and little of the disk kept for them.
            Map.entry("max_wal_size", "1GB"),
            Map.entry("checkpoint_timeout", "15min"));

    private final Path folder;
    private final EmbeddedPostgres server;

    private EmbeddedDatabase(Path folder, EmbeddedPostgres server) {
        this.folder = folder;
        this.server = server;
    }

    /** Starts the server, creating the database on the first start and recovering what a killed process left. */
    static EmbeddedDatabase start(DataFolder data, Duration timeout) throws IOException, SQLException {
        Path folder = data.of("postgres");
        Path firstStart = data.path().resolve("postgres.first-start");
        clear(folder);
        if (Files.exists(firstStart)) {
            FileSystemUtils.deleteRecursively(folder); // killed before it was ever usable, so nobody's data is in it
        }
        if (!Files.exists(folder.resolve("postgresql.conf"))) {
            Files.writeString(firstStart, "");
        }
        try {
            EmbeddedDatabase database = new EmbeddedDatabase(folder, launch(folder, timeout));
            database.createIfMissing();
            Files.deleteIfExists(firstStart);
            return database;
        } catch (IOException | SQLException | RuntimeException e) {
            process(folder).ifPresent(process -> process.stop(STOP_PATIENCE));
            throw e;
        }
    }

    @Override
    public ConnectionFactoryOptions getConnectionFactoryOptions() {
        return ConnectionFactoryOptions.builder()
                .option(ConnectionFactoryOptions.DRIVER, "postgresql")
                .option(ConnectionFactoryOptions.HOST, HOST)
                .option(ConnectionFactoryOptions.PORT, server.getPort())
                .option(ConnectionFactoryOptions.USER, USER)
                .option(ConnectionFactoryOptions.DATABASE, NAME)
                .build();
    }

    @Override
    public void close() throws IOException {
        Optional<ServerProcess> process = process(folder);
        server.close(); // waits five seconds at most, which the last checkpoint may exceed
        process.filter(running -> !running.gone(STOP_PATIENCE)).ifPresent(running -> running.stop(STOP_PATIENCE));
    }

    private static EmbeddedPostgres launch(Path folder, Duration timeout) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(folder)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPort(FreePort.pick())
                .setPGStartupWait(timeout)
                // The same order of text on every machine, whatever its language.
                .setLocaleConfig("locale", "C")
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8");
        CONFIGURATION.forEach(builder::setServerConfig);
        return builder.start();
    }

    private static void clear(Path folder) throws IOException {
        Optional<ServerProcess> orphan = process(folder);
        if (orphan.isPresent()) {
            log.warn(
                    "Stopping PostgreSQL (process {}), left running by an instance that was killed",
                    orphan.get().handle().pid());
            orphan.get().stop(STOP_PATIENCE);
        }
        // The server takes the word of the file for a live predecessor. Otherwise the file is its own safeguard.
        if (ServerProcess.pidWasGivenAway(folder, PID_FILE, PROGRAM)) {
            Files.delete(folder.resolve(PID_FILE));
        }
    }

    private static Optional<ServerProcess> process(Path folder) throws IOException {
        return ServerProcess.find(folder, PID_FILE, PROGRAM);
    }

    private void createIfMissing() throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet found =
                        statement.executeQuery("SELECT 1 FROM pg_database WHERE datname = '%s'".formatted(NAME))) {
            if (!found.next()) {
                statement.execute("CREATE DATABASE " + NAME);
            }
        }
    }
}
