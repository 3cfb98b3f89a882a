package dev.daybreak.bench.outside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Any number of connections to one server, all served by the thread that calls {@link #turn}. */
final class Wire implements AutoCloseable {

    private final InetSocketAddress server;
    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private final byte[] bytes = new byte[buffer.capacity()];

    Wire(URI server) throws IOException {
        this.server = new InetSocketAddress(server.getHost(), server.getPort());
        this.selector = Selector.open();
    }

    /** One end of a connection. Its methods are called by {@link #turn}. */
    abstract static class Peer {

        private @Nullable SocketChannel channel;

        abstract void connected();

        /** @param bytes may be overwritten, and are after the call */
        abstract void received(byte[] bytes, int length);

        /** The other side, or a failure, has ended the connection; not called after {@link #leave}. */
        abstract void closed();

        /** For requests that are small enough for the socket's buffer. */
        final void send(byte[] request) {
            try {
                if (open().write(ByteBuffer.wrap(request)) < request.length) {
                    throw new IOException("the server leaves requests unread");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** @param abruptly with a reset, as a phone that loses its network's address */
        final void leave(boolean abruptly) {
            try {
                if (abruptly) {
                    open().setOption(StandardSocketOptions.SO_LINGER, 0);
                }
                open().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private SocketChannel open() {
            if (channel == null) {
                throw new IllegalStateException("not connected");
            }
            return channel;
        }
    }

    void connect(Peer peer) {
        try {
            SocketChannel channel = SocketChannel.open();
            peer.channel = channel;
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_CONNECT, peer);
            channel.connect(server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Hands out what has arrived; waits for up to a millisecond if nothing has. */
    void turn() {
        try {
            selector.select(this::serve, 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return false if the condition did not come true in time */
    boolean turnUntil(BooleanSupplier condition, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            turn();
        }
        return true;
    }

    private void serve(SelectionKey key) {
        var channel = (SocketChannel) key.channel();
        var peer = (Peer) key.attachment();
        try {
            if (key.isConnectable() && channel.finishConnect()) {
                key.interestOps(SelectionKey.OP_READ);
                peer.connected();
            } else if (key.isReadable()) {
                read(channel, peer);
            }
        } catch (IOException | UncheckedIOException e) {
            end(channel, peer);
        }
    }

    private void read(SocketChannel channel, Peer peer) throws IOException {
        int length = channel.read(buffer.clear());
        if (length < 0) {
            end(channel, peer);
        } else {
            buffer.flip().get(bytes, 0, length);
            peer.received(bytes, length);
        }
    }

    private static void end(SocketChannel channel, Peer peer) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        peer.closed();
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
