package dev.daybreak.availability.feed;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Something to send, encoded once for all who get it.
 *
 * @param number of the event within its day; what a client is sent never falls behind what it has
 */
record Frame(long number, byte[] bytes) {

    static final byte[] COMMENT = ascii(":\n\n");

    /** @param slots each one JSON object on one line */
    static Frame of(long number, String event, List<byte[]> slots) {
        var bytes = new ByteArrayOutputStream(64 + 220 * slots.size());
        bytes.writeBytes(ascii("id: " + number + "\nevent: " + event + "\ndata: ["));
        for (int i = 0; i < slots.size(); i++) {
            if (i > 0) {
                bytes.write(',');
            }
            bytes.writeBytes(slots.get(i));
        }
        bytes.writeBytes(ascii("]\n\n"));
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
