package dev.daybreak.pages;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.http.MediaType;

/**
 * The files of the pages in memory, each also compressed, once and as small as it gets.
 *
 * @param version changes with any of the files
 */
record WebFiles(Map<String, WebFile> files, String version) {

    private static final String FOLDER = "/web/";
    private static final Map<String, MediaType> TYPES = Map.of(
            "html", MediaType.parseMediaType("text/html;charset=UTF-8"),
            "css", MediaType.parseMediaType("text/css;charset=UTF-8"),
            "js", MediaType.parseMediaType("text/javascript;charset=UTF-8"),
            "svg", MediaType.parseMediaType("image/svg+xml"),
            "png", MediaType.IMAGE_PNG);

    /** @param etag weak, since it is the same for both encodings */
    record WebFile(MediaType type, byte[] bytes, byte[] gzipped, String etag) {

        static WebFile of(MediaType type, byte[] bytes) {
            return new WebFile(type, bytes, compressed(bytes), "W/\"" + digest(bytes) + "\"");
        }
    }

    static WebFiles fromClassPath() throws IOException {
        SortedMap<String, byte[]> contents = new TreeMap<>();
        for (Resource resource : new PathMatchingResourcePatternResolver().getResources("classpath*:web/**/*.*")) {
            String url = resource.getURL().toString();
            contents.put(url.substring(url.lastIndexOf(FOLDER) + FOLDER.length()), resource.getContentAsByteArray());
        }
        var files = new TreeMap<String, WebFile>();
        var all = new ByteArrayOutputStream();
        contents.forEach((name, bytes) -> {
            files.put(name, WebFile.of(type(name), bytes));
            all.writeBytes(bytes);
        });
        return new WebFiles(files, digest(all.toByteArray()));
    }

    @Nullable
    WebFile find(String name) {
        return files.get(name);
    }

    private static MediaType type(String name) {
        MediaType type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null) {
            throw new IllegalStateException("What kind of file is " + name + "?");
        }
        return type;
    }

    private static String digest(byte[] bytes) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] compressed(byte[] bytes) {
        var out = new ByteArrayOutputStream();
        try (var gzip = new Best(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return out.toByteArray();
    }

    private static final class Best extends GZIPOutputStream {

        Best(ByteArrayOutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_COMPRESSION);
        }
    }
}
