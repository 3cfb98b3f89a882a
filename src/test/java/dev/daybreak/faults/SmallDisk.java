package dev.daybreak.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;

/** A folder for a server's data: on a disk of its own that can be filled, where mounting is allowed. */
final class SmallDisk implements AutoCloseable {

    private static final String SIZE = "400m";

    private final Path path;
    private final boolean mounted;

    private SmallDisk(Path path, boolean mounted) {
        this.path = path;
        this.mounted = mounted;
    }

    static SmallDisk create() throws IOException, InterruptedException {
        Path path = Files.createTempDirectory("daybreak-disk-");
        return new SmallDisk(path, run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "daybreak", path.toString()));
    }

    /** Where the data goes, in what may be the root of a disk. */
    Path folder() throws IOException {
        return Files.createDirectories(path.resolve("data"));
    }

    /** False where the folder is an ordinary one, which must not be filled. */
    boolean canBeFull() {
        return mounted;
    }

    /** Leaves no byte to anybody else. */
    void fill() throws IOException {
        byte[] block = new byte[1 << 16];
        try (OutputStream filler = Files.newOutputStream(filler())) {
            while (true) {
                filler.write(block);
            }
        } catch (IOException full) {
            if (path.toFile().getUsableSpace() > block.length) {
                throw full;
            }
        }
    }

    void empty() throws IOException {
        Files.deleteIfExists(filler());
    }

    private Path filler() {
        return path.resolve("filler");
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (mounted) {
            run("umount", "--lazy", path.toString());
        }
        FileSystemUtils.deleteRecursively(path);
    }
}
