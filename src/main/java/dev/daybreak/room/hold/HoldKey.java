package dev.daybreak.room.hold;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What a hold is found and kept with. The token is {@code <id>.<secret>}, so that a reservation, which is told the token alone, finds
 * the hold by it.
 *
 * @param secret known to the client alone; of 192 random bits, so one round of a hash is enough to store it by
 */
record HoldKey(long id, String secret) {

    static final String HEADER = "Hold-Token";

    private static final int SECRET_BYTES = 24;
    private static final int MAX_LENGTH = 100;
    /** What every JSON parser can read. */
    private static final int ID_BITS = 53;

    private static final SecureRandom RANDOM = seeded();

    static HoldKey random() {
        byte[] bytes = new byte[SECRET_BYTES];
        RANDOM.nextBytes(bytes);
        long id = (RANDOM.nextLong() >>> (Long.SIZE - ID_BITS)) | 1;
        return new HoldKey(id, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
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

    String hash() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Keeps the secret out of logs. */
    @Override
    public String toString() {
        return "HoldKey[" + id + "]";
    }

    /** Reads the machine's entropy now, and computes from then on. */
    private static SecureRandom seeded() {
        try {
            SecureRandom random = SecureRandom.getInstance("DRBG");
            random.nextBytes(new byte[1]);
            return random;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has DRBG", e);
        }
    }
}
