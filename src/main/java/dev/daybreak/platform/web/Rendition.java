package dev.daybreak.platform.web;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/**
 * The body of a response, ready to be sent.
 *
 * @param etag a strong one with its quotes: equal bytes, equal tag, on every instance
 * @param length of the body, as the header has it
 */
public record Rendition(byte[] body, String etag, String length) {

    private static final int TAG_BYTES = 12;

    public static Rendition of(byte[] body) {
        return new Rendition(body, '"' + tag(body) + '"', Integer.toString(body.length));
    }

    private static String tag(byte[] body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, TAG_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
