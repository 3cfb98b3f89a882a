package dev.daybreak.room.hold;

import dev.daybreak.platform.security.Secret;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a hold is found and kept with. The token is {@code <id>.<secret>}, so that a reservation, which is told the token alone, finds
 * the hold by it.
 *
 * @param secret known to the client alone
 */
record HoldKey(long id, String secret) {

    static final String HEADER = "Hold-Token";

    private static final int MAX_LENGTH = 100;

    /** Up to here every JSON parser reads whole numbers. */
    private static final long MAX_ID = 1L << 53;

    static HoldKey random() {
        long id = ThreadLocalRandom.current().nextLong(1, MAX_ID);
        return new HoldKey(id, Secret.random().reveal());
    }

    /** Null for what is no token. */
    static @Nullable HoldKey ofToken(@Nullable String token) {
        int dot = token == null || token.length() > MAX_LENGTH ? -1 : token.indexOf('.');
        if (token == null || dot < 1 || !token.chars().limit(dot).allMatch(c -> c >= '0' && c <= '9')) {
            return null;
        }
        try {
            return new HoldKey(Long.parseLong(token.substring(0, dot)), token.substring(dot + 1));
        } catch (NumberFormatException tooLong) {
            return null;
        }
    }

    String token() {
        return id + "." + secret;
    }

    /** What is stored of the secret. */
    String hash() {
        return Secret.hexHash(secret);
    }

    /** Keeps the secret out of logs. */
    @Override
    public String toString() {
        return "HoldKey[" + id + "]";
    }
}
