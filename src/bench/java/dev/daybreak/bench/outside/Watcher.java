package dev.daybreak.bench.outside;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** A subscriber to the live feed of a day. Keeps nothing but what is left of an event that has not wholly arrived. */
abstract class Watcher extends Wire.Peer {

    private static final Pattern SLOT = Pattern.compile("\\{\"id\":(\\d+)[^}]*}");
    private static final byte[] NONE = {};
    private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final byte[] request;
    private byte[] rest = NONE;
    private boolean streaming;
    private int size;
    private int left;

    /** @param request see {@link RemoteClinic.Day#watch} */
    Watcher(byte[] request) {
        this.request = request;
    }

    /** @param text from {@code from} to {@code to} is the event; overwritten after the call */
    abstract void event(int number, boolean snapshot, byte[] text, int from, int to);

    /** The slots in a piece of JSON, each as it is written there, by id. */
    static TreeMap<Long, String> slots(String json) {
        var slots = new TreeMap<Long, String>();
        SLOT.matcher(json).results().forEach(slot -> slots.put(Long.valueOf(slot.group(1)), slot.group()));
        return slots;
    }

    @Override
    void connected() {
        send(request);
    }

    @Override
    void received(byte[] bytes, int length) {
        if (streaming) {
            stream(bytes, 0, length);
            return;
        }
        byte[] head = joined(bytes, length);
        int end = indexOf(END_OF_HEAD, head);
        if (end < 0) {
            rest = head;
            return;
        }
        String text = new String(head, 0, end, StandardCharsets.ISO_8859_1);
        if (!text.startsWith("HTTP/1.1 200 ")) {
            throw new AssertionError("a subscriber was refused: " + text.lines().findFirst());
        }
        streaming = true;
        rest = NONE;
        stream(head, end + END_OF_HEAD.length, head.length);
    }

    @Override
    void closed() {
        throw new AssertionError("a subscriber's connection was closed");
    }

    /** Takes the chunks' sizes out, and the events apart. */
    private void stream(byte[] bytes, int from, int to) {
        int length = 0;
        int at = from;
        while (at < to) {
            if (left > 0) {
                int part = Math.min(left, to - at);
                System.arraycopy(bytes, at, bytes, length, part);
                length += part;
                left -= part;
                at += part;
            } else {
                chunkSize(bytes[at++]);
            }
        }
        byte[] text = rest.length == 0 ? bytes : joined(bytes, length);
        split(text, rest.length + length);
    }

    private void chunkSize(byte of) {
        int digit = Character.digit(of, 16);
        if (digit >= 0) {
            size = 16 * size + digit;
        } else if (of == '\n') {
            // Nothing yet after the line's end that follows a chunk.
            left = size;
            size = 0;
        }
    }

    private void split(byte[] text, int length) {
        int from = 0;
        for (int i = 1; i < length; i++) {
            if (text[i] == '\n' && text[i - 1] == '\n' && i > from) {
                if (text[from] == 'i') {
                    event(text, from, i - 1);
                }
                from = i + 1;
            }
        }
        rest = from == length ? NONE : Arrays.copyOfRange(text, from, length);
    }

    /** Of "id: 17", "event: slots" or "event: snapshot", and the data. */
    private void event(byte[] text, int from, int to) {
        int number = 0;
        int at = from + "id: ".length();
        while (text[at] != '\n') {
            number = 10 * number + text[at++] - '0';
        }
        event(number, text[at + "\nevent: s".length()] == 'n', text, from, to);
    }

    private byte[] joined(byte[] bytes, int length) {
        byte[] joined = Arrays.copyOf(rest, rest.length + length);
        System.arraycopy(bytes, 0, joined, rest.length, length);
        return joined;
    }

    private static int indexOf(byte[] wanted, byte[] text) {
        for (int i = 0; i + wanted.length <= text.length; i++) {
            if (Arrays.equals(text, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        return -1;
    }
}
