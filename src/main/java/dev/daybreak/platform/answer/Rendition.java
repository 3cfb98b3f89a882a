package dev.daybreak.platform.answer;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The body of a response, ready to be sent.
 *
 * @param etag a strong one with its quotes: equal bytes, equal tag, on every instance
 * @param length of the body, as the header has it
 */
public record Rendition(byte[] body, String etag, String length) {

    private static final int TAG_BYTES = 12;
    private static final String CACHE_CONTROL = "no-cache";

    public static Rendition of(byte[] body) {
        return new Rendition(body, '"' + tag(body) + '"', Integer.toString(body.length));
    }

    /**
     * The answer with this body, or a 304 if the client has these very bytes. {@code no-cache} lets browsers and proxies keep it but
     * makes them ask each time, which costs a 304; a list that is 4 seconds old already is bad enough.
     *
     * @param age whole seconds since it was read from the database
     * @param ifNoneMatch what the client says it has
     */
    public ServerResponse answer(MediaType format, long age, List<String> ifNoneMatch) {
        return isAmong(ifNoneMatch)
                ? new BytesAnswer(HttpStatus.NOT_MODIFIED, headers -> describe(headers, age), null)
                : new BytesAnswer(
                        HttpStatus.OK,
                        headers -> {
                            describe(headers, age);
                            headers.set(HttpHeaders.CONTENT_TYPE, format.toString());
                            headers.set(HttpHeaders.CONTENT_LENGTH, length);
                        },
                        body);
    }

    private void describe(HttpHeaders headers, long age) {
        headers.set(HttpHeaders.ETAG, etag);
        headers.set(HttpHeaders.CACHE_CONTROL, CACHE_CONTROL);
        headers.set(HttpHeaders.VARY, HttpHeaders.ACCEPT);
        headers.set(HttpHeaders.AGE, Long.toString(age));
    }

    // The comparison is the weak one, so a W/ before the tag does not matter; and no tag can be part of another, quotes
    // included.
    private boolean isAmong(List<String> ifNoneMatch) {
        for (String tags : ifNoneMatch) {
            if (tags.contains(etag) || tags.strip().equals("*")) {
                return true;
            }
        }
        return false;
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
