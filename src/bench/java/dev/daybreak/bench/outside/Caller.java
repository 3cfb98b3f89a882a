package dev.daybreak.bench.outside;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection that is kept open and carries one request at a time. */
final class Caller extends Wire.Peer {

    private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: *(\\d+)", Pattern.CASE_INSENSITIVE);
    private static final int STATUS = "HTTP/1.1 ".length();

    private final Listener listener;
    private byte[] answer = new byte[1024];
    private int length;
    private int number = -1;
    private boolean connected;

    interface Listener {

        void ready(Caller caller);

        void answered(int number, int status);

        /** @param number of the request that was under way, or -1 */
        void lost(Caller caller, int number);
    }

    Caller(Listener listener) {
        this.listener = listener;
    }

    void call(int number, byte[] request) {
        this.number = number;
        send(request);
    }

    @Override
    void connected() {
        connected = true;
        listener.ready(this);
    }

    @Override
    void received(byte[] bytes, int more) {
        if (length + more > answer.length) {
            answer = Arrays.copyOf(answer, 2 * (length + more));
        }
        System.arraycopy(bytes, 0, answer, length, more);
        length += more;
        String text = new String(answer, 0, length, StandardCharsets.ISO_8859_1);
        if (isComplete(text)) {
            int answered = number;
            number = -1;
            length = 0;
            listener.answered(answered, Integer.parseInt(text.substring(STATUS, STATUS + 3)));
            listener.ready(this);
        }
    }

    @Override
    void closed() {
        if (!connected) {
            throw new AssertionError("the service accepts no connection");
        }
        listener.lost(this, number);
    }

    private static boolean isComplete(String text) {
        int head = text.indexOf("\r\n\r\n");
        if (head < 0) {
            return false;
        }
        Matcher known = LENGTH.matcher(text).region(0, head);
        return known.find()
                ? text.length() >= head + 4 + Integer.parseInt(known.group(1))
                : text.endsWith("\r\n0\r\n\r\n");
    }
}
