package dev.daybreak.scaling;

import static org.awaitility.Awaitility.await;

import dev.daybreak.Needs;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;

/** PgBouncer in transaction mode in front of a PostgreSQL, as an operator would set it up. */
final class PgBouncer implements AutoCloseable {

    private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");
    static final int SERVER_CONNECTIONS = 3;

    private static final String CONFIGURATION = """
            [databases]
            daybreak = host=%s port=%s dbname=%s user=%s password=%s
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %d
            auth_type = any
            pool_mode = transaction
            default_pool_size = %d
            max_client_conn = 500
            unix_socket_dir =
            ignore_startup_parameters = extra_float_digits,statement_timeout,lock_timeout,idle_in_transaction_session_timeout,jit
            """;

    private final Path folder;
    private final Process process;
    private final int port;

    private PgBouncer(Path folder, Process process, int port) {
        this.folder = folder;
        this.process = process;
        this.port = port;
    }

    static PgBouncer before(ConnectionFactoryOptions postgres) throws IOException {
        Needs.that(Files.isExecutable(PROGRAM), "pgbouncer: apt-get install pgbouncer");
        int port = freePort();
        Path folder = Files.createTempDirectory("daybreak-pgbouncer-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Object password = postgres.getValue(ConnectionFactoryOptions.PASSWORD);
        Path configuration = Files.writeString(
                folder.resolve("pgbouncer.ini"),
                CONFIGURATION.formatted(
                        postgres.getValue(ConnectionFactoryOptions.HOST),
                        postgres.getValue(ConnectionFactoryOptions.PORT),
                        postgres.getValue(ConnectionFactoryOptions.DATABASE),
                        postgres.getValue(ConnectionFactoryOptions.USER),
                        password == null ? "none" : password,
                        port,
                        SERVER_CONNECTIONS));
        var command = new ArrayList<>(List.of(PROGRAM.toString()));
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("-u", "nobody")); // it does not serve as root
        }
        command.add(configuration.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("pgbouncer.log").toFile())
                .start();
        var bouncer = new PgBouncer(folder, process, port);
        await().atMost(Duration.ofSeconds(20)).until(() -> !process.isAlive() || bouncer.answers());
        if (!process.isAlive()) {
            throw new IllegalStateException(Files.readString(folder.resolve("pgbouncer.log")));
        }
        return bouncer;
    }

    String url() {
        // Statements without a name: the next one may run on another connection, which knows no names given there.
        return "r2dbc:postgresql://127.0.0.1:" + port + "/daybreak?preparedStatementCacheQueries=0";
    }

    private boolean answers() {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
        FileSystemUtils.deleteRecursively(folder);
    }
}
