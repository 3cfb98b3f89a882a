package dev.daybreak.platform.feed;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Something to send, encoded once for all who get it.
 *
 * @param number of the event among those of what is watched; what a client is sent never falls behind what it has
 */
record Frame(long number, byte[] bytes) {

    static final byte[] COMMENT = ascii(":\n\n");

    /** @param data on one line */
    static Frame of(long number, String event, byte[] data) {
        var bytes = new ByteArrayOutputStream(64 + data.length);
        bytes.writeBytes(ascii("id: " + number + "\nevent: " + event + "\ndata: "));
        bytes.writeBytes(data);
        bytes.writeBytes(ascii("\n\n"));
        return new Frame(number, bytes.toByteArray());
    }

    /** Tells the client when to reconnect; not all at the same moment. */
    static byte[] retry(Duration least) {
        long millis = least.toMillis();
        return ascii("retry: " + (millis + ThreadLocalRandom.current().nextLong(millis + 1)) + "\n\n");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
