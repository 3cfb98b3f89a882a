package dev.daybreak.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds ports for the embedded servers. */
final class FreePort {

    private FreePort() {}

    /** A port that was free on loopback a moment ago. */
    static int pick() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
