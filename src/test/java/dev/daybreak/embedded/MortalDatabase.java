package dev.daybreak.embedded;

import dev.daybreak.FaultyProxy;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.springframework.util.FileSystemUtils;

/** A PostgreSQL of a test's own that can crash and come back with what was on disk, always at the same address. */
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
        this.proxy = FaultyProxy.to("127.0.0.1", port());
    }

    public static MortalDatabase start() throws IOException, SQLException {
        return new MortalDatabase(Files.createTempDirectory("daybreak-mortal-"));
    }

    /** The properties that lead an instance of the service here. */
    public String[] properties() {
        return new String[] {
            "spring.r2dbc.url=r2dbc:postgresql://127.0.0.1:" + proxy.port() + "/daybreak",
            "spring.r2dbc.username=postgres",
            "spring.r2dbc.password=none"
        };
    }

    /** Ends the server in the middle of what it does, as a crash would, and starts it again. */
    public void crashAndRecover() throws IOException, SQLException, InterruptedException {
        ServerProcess process = ServerProcess.find(path.toRealPath().resolve("postgres"), "postmaster.pid", "postgres")
                .orElseThrow();
        new ProcessBuilder("kill", "-QUIT", Long.toString(process.handle().pid()))
                .start()
                .waitFor();
        proxy.cut();
        if (!process.gone(TIMEOUT)) {
            throw new IllegalStateException("PostgreSQL does not end");
        }
        server.close(); // there is nothing to stop any more, but its lock of the folder to be given back
        server = EmbeddedDatabase.start(folder, TIMEOUT);
        proxy.redirect(port());
        proxy.resume();
    }

    private int port() {
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
