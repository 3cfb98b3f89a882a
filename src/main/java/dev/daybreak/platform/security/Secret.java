package dev.daybreak.platform.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Something only few know; never printed by accident. */
public final class Secret {

    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = seeded();

    private final String value;

    private Secret(String value) {
        this.value = value;
    }

    static Secret of(String value) {
        return new Secret(value);
    }

    /** 256 bits that nobody can guess. */
    public static Secret random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new Secret(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** What it is, for whom it is meant. */
    public String reveal() {
        return value;
    }

    SecretKey key() {
        return new SecretKeySpec(value.getBytes(StandardCharsets.UTF_8), "HmacSHA256");
    }

    /** What may be kept of a secret. One round of SHA-256 is enough: unlike a password, nobody can guess it. */
    public static byte[] hash(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The same in hexadecimal digits, for keys and texts. */
    public static String hexHash(String secret) {
        return HexFormat.of().formatHex(hash(secret));
    }

    @Override
    public String toString() {
        return "Secret[…]";
    }

    /** Reads the machine's entropy now, and computes from then on: a secret costs an event loop no read of a file. */
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
