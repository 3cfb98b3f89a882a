package dev.daybreak.platform.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DigestUtils;
import org.springframework.data.redis.core.script.RedisScript;

/** Lua scripts that lie beside the classes that run them. */
public final class LuaScripts {

    private LuaScripts() {}

    /** Read and hashed once: Spring's own script does so at its first call, and takes a lock at every one. */
    private record Prepared<T>(String getScriptAsString, String getSha1, Class<T> getResultType)
            implements RedisScript<T> {}

    /** The script of that name beside the class. */
    public static <T> RedisScript<T> load(Class<?> beside, String file, Class<T> type) {
        try {
            String text = new ClassPathResource(file, beside).getContentAsString(StandardCharsets.UTF_8);
            return new Prepared<>(text, DigestUtils.sha1DigestAsHex(text), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
