package dev.daybreak.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.util.FileSystemUtils;

/** The embedded servers of a test run: started when first asked for, in a temporary folder, stopped when the JVM ends. */
public final class SharedServers {

    private SharedServers() {}

    public static R2dbcConnectionDetails postgres() {
        return Running.POSTGRES;
    }

    public static DataRedisConnectionDetails redis() {
        return Running.REDIS;
    }

    // Details that cannot be closed, else the first context to end would stop the servers of all.
    private static final class Running {

        private static final Duration TIMEOUT = Duration.ofSeconds(60);

        static final R2dbcConnectionDetails POSTGRES;
        static final DataRedisConnectionDetails REDIS;

        static {
            try {
                Path path = Files.createTempDirectory("daybreak-test-");
                DataFolder folder = DataFolder.open(path);
                EmbeddedDatabase postgres = EmbeddedDatabase.start(folder, TIMEOUT);
                EmbeddedRedis redis = EmbeddedRedis.start(folder, TIMEOUT);
                POSTGRES = postgres::getConnectionFactoryOptions;
                REDIS = new DataRedisConnectionDetails() {
                    @Override
                    public Standalone getStandalone() {
                        return redis.getStandalone();
                    }
                };
                Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(path, folder, postgres, redis)));
            } catch (Exception e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private static void stop(Path path, AutoCloseable folder, AutoCloseable postgres, AutoCloseable redis) {
            try (folder;
                    postgres;
                    redis) {
                // closed in reverse order
            } catch (Exception e) {
                e.printStackTrace();
            }
            FileSystemUtils.deleteRecursively(path.toFile());
        }
    }
}
