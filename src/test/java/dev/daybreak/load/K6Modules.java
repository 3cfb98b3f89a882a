package dev.daybreak.load;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryStream;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Map;
import java.util.Set;
import org.graalvm.polyglot.io.FileSystem;

/** The files a script may import: its own, and k6's modules, which stand in the test resources. Read only. */
final class K6Modules implements FileSystem {

    private static final Map<String, String> MODULES = Map.of(
            "k6", "k6.js",
            "k6/http", "http.js",
            "k6/metrics", "metrics.js",
            "k6/execution", "execution.js");

    private final FileSystem files = FileSystem.newReadOnlyFileSystem(FileSystem.newDefaultFileSystem());

    @Override
    public Path parsePath(URI uri) {
        return files.parsePath(uri);
    }

    @Override
    public Path parsePath(String path) {
        String module = MODULES.get(path);
        return module == null ? files.parsePath(path) : resource("k6/" + module);
    }

    @Override
    public void checkAccess(Path path, Set<? extends AccessMode> modes, LinkOption... options) throws IOException {
        files.checkAccess(path, modes, options);
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
        files.createDirectory(directory, attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
        files.delete(path);
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return files.newByteChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        return files.newDirectoryStream(directory, filter);
    }

    @Override
    public Path toAbsolutePath(Path path) {
        return files.toAbsolutePath(path);
    }

    @Override
    public Path toRealPath(Path path, LinkOption... options) throws IOException {
        return files.toRealPath(path, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return files.readAttributes(path, attributes, options);
    }

    private static Path resource(String name) {
        try {
            return Path.of(K6Modules.class.getResource(name).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
