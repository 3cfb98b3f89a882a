package dev.daybreak.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Sends bytes as they are, which HTTP clients refuse to do, and reads one answer. */
record RawHttp(int port) {

    /**
     * What the service said.
     *
     * @param headers by name in lower case
     */
    record Answer(int status, Map<String, String> headers, String body) {

        String type() {
            return headers.getOrDefault("content-type", "");
        }
    }

    Answer send(byte[] request, boolean endless) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 5_000);
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request);
            return parse(read(socket, endless));
        }
    }

    private static String read(Socket socket, boolean endless) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try {
            byte[] part = new byte[8192];
            for (int count = socket.getInputStream().read(part);
                    count >= 0;
                    count = socket.getInputStream().read(part)) {
                bytes.write(part, 0, count);
                if (endless && isHead(bytes.toString(StandardCharsets.UTF_8))) {
                    break;
                }
            }
        } catch (SocketTimeoutException e) {
            throw new IOException("no end of the answer: " + bytes.toString(StandardCharsets.UTF_8), e);
        } catch (SocketException e) {
            // Closed with something left unread.
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static boolean isHead(String said) {
        return said.contains("\r\n\r\n") && said.toLowerCase(Locale.ROOT).contains("content-type: text/event-stream");
    }

    private static Answer parse(String said) throws IOException {
        int end = said.indexOf("\r\n\r\n");
        if (end < 0 || !said.startsWith("HTTP/1.1 ")) {
            throw new IOException("no answer: " + said);
        }
        String[] lines = said.substring(0, end).split("\r\n");
        var headers = new TreeMap<String, String>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            headers.put(
                    lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                    lines[i].substring(colon + 1).strip());
        }
        return new Answer(Integer.parseInt(lines[0].substring(9, 12)), headers, said.substring(end + 4));
    }
}
