package dev.daybreak.platform.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A client that speaks byte by byte, and as slowly as it likes. */
final class Wire implements AutoCloseable {

    private final Socket socket = new Socket();

    Wire(int port) throws IOException {
        socket.connect(new InetSocketAddress("127.0.0.1", port), 5_000);
        socket.setSoTimeout(15_000);
    }

    Wire send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    /** Sends the text again and again until the other side has enough, at most so many bytes; answers how many were sent. */
    long pour(String text, long most) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        long sent = 0;
        try {
            while (sent < most) {
                socket.getOutputStream().write(bytes);
                sent += bytes.length;
            }
        } catch (IOException e) {
            // Cut off.
        }
        return sent;
    }

    /** What comes until the other side closes; a connection that is cut off says what it said before. */
    String rest() throws IOException {
        var said = new StringBuilder();
        try {
            InputStream input = socket.getInputStream();
            byte[] bytes = new byte[8192];
            for (int count = input.read(bytes); count >= 0; count = input.read(bytes)) {
                said.append(new String(bytes, 0, count, StandardCharsets.UTF_8));
            }
        } catch (SocketException e) {
            // Reset: closed all the same.
        }
        return said.toString();
    }

    /** The first bytes of an answer, as many as come at once. */
    String some() throws IOException {
        byte[] bytes = new byte[8192];
        int count = socket.getInputStream().read(bytes);
        return count < 0 ? "" : new String(bytes, 0, count, StandardCharsets.UTF_8);
    }

    /** Whether the other side has neither closed nor said anything. */
    boolean isOpen() throws IOException {
        socket.setSoTimeout(100);
        try {
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } finally {
            socket.setSoTimeout(15_000);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
