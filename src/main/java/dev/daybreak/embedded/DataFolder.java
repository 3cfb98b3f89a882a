package dev.daybreak.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * The folder of the embedded servers, locked for as long as it is open. The operating system gives the lock back when
 * the process ends, however it ends.
 */
final class DataFolder implements AutoCloseable {

    private static final String LOCK_FILE = "daybreak.lock";
    private static final String HOLDER_FILE = "daybreak.pid";

    private final Path path;
    private final FileChannel channel;

    private DataFolder(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Creates the folder if need be and locks it, or throws {@link DataFolderInUse}. */
    static DataFolder open(Path folder) {
        try {
            Path path = Files.createDirectories(folder.toAbsolutePath()).toRealPath();
            FileChannel channel =
                    FileChannel.open(path.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                throw new DataFolderInUse(path, holder(path));
            }
            Files.writeString(path.resolve(HOLDER_FILE), ProcessHandle.current().pid() + "\n");
            return new DataFolder(path, channel);
        } catch (IOException e) {
            throw new UncheckedIOException("The data folder " + folder + " cannot be used", e);
        }
    }

    /** The folder of one server, created if need be and closed to other users. */
    Path of(String server) throws IOException {
        Path folder = Files.createDirectories(path.resolve(server));
        if (!ServerProcess.WINDOWS) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
        return folder;
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path.resolve(HOLDER_FILE));
        channel.close();
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // held by another context of this process
        }
    }

    private static String holder(Path path) {
        try {
            return Files.readString(path.resolve(HOLDER_FILE), StandardCharsets.UTF_8)
                    .strip();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
