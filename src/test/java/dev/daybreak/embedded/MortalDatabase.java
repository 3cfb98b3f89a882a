package dev.daybreak.embedded;

import dev.daybreak.FaultyProxy;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.springframework.util.FileSystemUtils;

/** A PostgreSQL of a test's own that can freeze, or crash and come back with what was on disk, always at the same address. */
public final class MortalDatabase implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Path path;
    private final DataFolder folder;
    private final FaultyProxy proxy;
    private EmbeddedDatabase server;

    private MortalDatabase(Path path) throws IOException, SQLException {
        this.path = path;
        this.folder = DataFolder.open(path);
        this.server = EmbeddedDatabase.start(folder, TIMEOUT);
        this.proxy = FaultyProxy.to("127.0.0.1", serverPort());
    }

    public static MortalDatabase start() throws IOException, SQLException {
        return startIn(Files.createTempDirectory("daybreak-mortal-"));
    }

    /** @param path removed with the server */
    public static MortalDatabase startIn(Path path) throws IOException, SQLException {
        return new MortalDatabase(path);
    }

    /** The properties that lead an instance of the service here. */
    public String[] properties() {
        return properties(port());
    }

    /** The same through somebody who stands in between. */
    public static String[] properties(int port) {
        return new String[] {
            "spring.r2dbc.url=r2dbc:postgresql://127.0.0.1:" + port + "/daybreak",
            "spring.r2dbc.username=postgres",
            "spring.r2dbc.password=none"
        };
    }

    public int port() {
        return proxy.port();
    }

    /** Ends the server in the middle of what it does, as a crash would, and starts it again. */
    public void crashAndRecover() throws IOException, SQLException, InterruptedException {
        crash();
        recover();
    }

    public void crash() throws IOException, InterruptedException {
        ServerProcess process = process().orElseThrow();
        Signals.send("QUIT", process.handle());
        proxy.cut();
        if (!process.gone(TIMEOUT)) {
            throw new IllegalStateException("PostgreSQL does not end");
        }
    }

    /** Starts the server again, if it has ended. */
    public void recover() throws IOException, SQLException {
        if (process().isPresent()) {
            return;
        }
        server.close(); // there is nothing to stop any more, but its lock of the folder to be given back
        server = EmbeddedDatabase.start(folder, TIMEOUT);
        proxy.redirect(serverPort());
        proxy.resume();
    }

    /** Stops the server and all that work for it where they are, until {@link #thaw}. */
    public void freeze() throws IOException, InterruptedException {
        Signals.sendToAll("STOP", process().orElseThrow().handle());
    }

    public void thaw() throws IOException, InterruptedException {
        Signals.sendToAll("CONT", process().orElseThrow().handle());
    }

    private Optional<ServerProcess> process() throws IOException {
        return ServerProcess.find(path.toRealPath().resolve("postgres"), "postmaster.pid", "postgres");
    }

    private int serverPort() {
        return (Integer) server.getConnectionFactoryOptions().getRequiredValue(ConnectionFactoryOptions.PORT);
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        server.close();
        folder.close();
        FileSystemUtils.deleteRecursively(path);
    }
}
