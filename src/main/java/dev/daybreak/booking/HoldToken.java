package dev.daybreak.booking;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** What a hold is kept, confirmed and released with: a secret of 192 random bits, known to the client alone. */
record HoldToken(String value) {

    static final String HEADER = "Hold-Token";

    private static final int BYTES = 24;
    private static final SecureRandom RANDOM = seeded();

    static HoldToken random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new HoldToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** What is stored of it. One round of SHA-256 is enough: unlike a password, nobody can guess it. */
    String hash() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Keeps it out of logs. */
    @Override
    public String toString() {
        return "HoldToken[…]";
    }

    /** Reads the machine's entropy now, and computes from then on: a token costs an event loop no read of a file. */
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
