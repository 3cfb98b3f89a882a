package dev.daybreak.admission;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.RedisScript;

/** The Lua scripts of the gate. */
final class GateScripts {

    private GateScripts() {}

    /** Reads the script now: Spring would read it at the first call, and look for a newer file at every call, on an event loop. */
    static <T> RedisScript<T> load(String file, Class<T> type) {
        try {
            return RedisScript.of(
                    new ClassPathResource(file, GateScripts.class).getContentAsString(StandardCharsets.UTF_8), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
