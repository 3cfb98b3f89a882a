package dev.daybreak;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands between the service and a server, and fails on demand: paused, it takes and keeps what is sent but passes nothing on,
 * as a frozen server would; cut, it closes every connection, as a killed one would.
 */
public final class FaultyProxy implements AutoCloseable {

    private final ServerSocket listener;
    private final String host;
    private volatile int port;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Socket> frozen = ConcurrentHashMap.newKeySet();
    private boolean paused;
    private boolean mute;
    private boolean cut;

    private FaultyProxy(ServerSocket listener, String host, int port) {
        this.listener = listener;
        this.host = host;
        this.port = port;
    }

    public static FaultyProxy to(String host, int port) {
        try {
            var proxy = new FaultyProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), host, port);
            Thread.ofVirtual().start(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Passes nothing on until {@link #resume}. */
    public synchronized void pause() {
        paused = true;
    }

    /** Passes on what is asked, and keeps what is answered, until {@link #resume}. */
    public synchronized void freezeAnswers() {
        mute = true;
    }

    /** Passes nothing on over the connections there are, until {@link #resume}; new ones work. */
    public synchronized void freezeConnections() {
        frozen.addAll(sockets);
    }

    /** Closes every connection, and new ones at once until {@link #resume}. */
    public synchronized void cut() {
        cut = true;
        dropConnections();
    }

    /** Closes every connection; new ones work. */
    public void dropConnections() {
        sockets.forEach(FaultyProxy::close);
    }

    public synchronized void resume() {
        paused = false;
        mute = false;
        cut = false;
        frozen.clear();
        notifyAll();
    }

    /** Leads new connections to another port of the host. */
    public void redirect(int other) {
        port = other;
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
        resume();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        sockets.add(client);
        if (isCut()) {
            close(client);
            return;
        }
        try {
            Socket server = new Socket(host, port);
            sockets.add(server);
            Thread.ofVirtual().start(() -> pass(server, client, true));
            pass(client, server, false);
        } catch (IOException e) {
            close(client);
        }
    }

    private void pass(Socket from, Socket to, boolean answers) {
        byte[] bytes = new byte[8192];
        try (from;
                to) {
            InputStream input = from.getInputStream();
            for (int count = input.read(bytes); count >= 0; count = input.read(bytes)) {
                awaitResumed(from, answers);
                to.getOutputStream().write(bytes, 0, count);
            }
        } catch (IOException | InterruptedException e) {
            // The connection is over, which is all there is to say.
        } finally {
            sockets.remove(from);
            sockets.remove(to);
            frozen.remove(from);
        }
    }

    private synchronized boolean isCut() {
        return cut;
    }

    private synchronized void awaitResumed(Socket from, boolean answers) throws InterruptedException {
        while (paused || answers && mute || frozen.contains(from)) {
            wait();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
