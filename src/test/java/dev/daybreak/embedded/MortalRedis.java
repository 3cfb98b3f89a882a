package dev.daybreak.embedded;

import dev.daybreak.FaultyProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.springframework.util.FileSystemUtils;

/** A Redis of a test's own that can freeze, or be killed and come back, always at the same address. */
public final class MortalRedis implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Path path;
    private final DataFolder folder;
    private final FaultyProxy proxy;
    private EmbeddedRedis server;

    private MortalRedis(Path path) throws IOException, InterruptedException {
        this.path = path;
        this.folder = DataFolder.open(path);
        this.server = EmbeddedRedis.start(folder, TIMEOUT);
        this.proxy = FaultyProxy.to("127.0.0.1", server.getStandalone().getPort());
    }

    public static MortalRedis start() throws IOException, InterruptedException {
        return new MortalRedis(Files.createTempDirectory("daybreak-mortal-"));
    }

    public int port() {
        return proxy.port();
    }

    public void kill() throws IOException, InterruptedException {
        ServerProcess process = process().orElseThrow();
        Signals.send("KILL", process.handle());
        proxy.cut();
        if (!process.gone(TIMEOUT)) {
            throw new IllegalStateException("Redis does not end");
        }
    }

    public void recover() throws IOException, InterruptedException {
        server = EmbeddedRedis.start(folder, TIMEOUT);
        proxy.redirect(server.getStandalone().getPort());
        proxy.resume();
    }

    public void freeze() throws IOException, InterruptedException {
        Signals.send("STOP", process().orElseThrow().handle());
    }

    public void thaw() throws IOException, InterruptedException {
        Signals.send("CONT", process().orElseThrow().handle());
    }

    private Optional<ServerProcess> process() throws IOException {
        return ServerProcess.find(path.toRealPath().resolve("redis"), "redis.pid", "redis-server");
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        server.close();
        folder.close();
        FileSystemUtils.deleteRecursively(path);
    }
}
