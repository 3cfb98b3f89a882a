package dev.daybreak.platform.redis;

/** Redis is known to be away, so it was not asked. */
public final class RedisUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RedisUnavailable() {
        super("Redis does not answer", null, false, false);
    }
}
