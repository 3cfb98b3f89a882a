package dev.daybreak.platform.feed;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.FluxSink.OverflowStrategy;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServerResponse;

/**
 * One who watches. What is to be sent is decided at the moment the connection takes it: a few waiting events, or, for
 * a client that fell behind them, everything as it is by then. So a slow client costs four references and no queue.
 */
final class FeedClient {

    private static final int MAX_WAITING = 4;

    private final Watched<?> watched;
    private final Duration retry;
    private final OpenStreams streams;
    private final Consumer<FeedClient> leaving;

    private final ServerHttpResponse response;
    private final AtomicBoolean left = new AtomicBoolean();
    private @Nullable FluxSink<FeedClient> sink;
    private final List<Frame> waiting = new ArrayList<>(MAX_WAITING);
    private boolean greeted;
    private boolean behind = true;
    private boolean beat;
    private boolean ending;
    private long seen = -1;
    private long signalledAt;
    private boolean signalled;
    private long beatAt;

    /** @param leaving told once that this client leaves */
    FeedClient(
            Watched<?> watched,
            ServerHttpResponse response,
            Duration retry,
            OpenStreams streams,
            Consumer<FeedClient> leaving) {
        this.beatAt = System.nanoTime();
        this.watched = watched;
        this.response = response;
        this.retry = retry;
        this.streams = streams;
        this.leaving = leaving;
    }

    Watched<?> watched() {
        return watched;
    }

    /** Emits one buffer at a time, each when the one before has left, until {@link #end}. For one subscriber. */
    Flux<Mono<DataBuffer>> stream() {
        DataBufferFactory buffers = response.bufferFactory();
        return Flux.<FeedClient>create(
                        created -> {
                            FluxSink<FeedClient> stream;
                            boolean last;
                            synchronized (this) {
                                sink = created;
                                stream = toSignal();
                                last = ending;
                            }
                            signal(stream);
                            if (last) {
                                created.complete();
                            }
                        },
                        // Never more than one signal is under way.
                        OverflowStrategy.IGNORE)
                .map(client -> Mono.fromSupplier(() -> buffers.wrap(client.take())));
    }

    void offer(Frame frame) {
        FluxSink<FeedClient> stream;
        synchronized (this) {
            if (behind || frame.number() <= seen) {
                return;
            }
            if (waiting.size() == MAX_WAITING) {
                streams.dropped(waiting.size());
                waiting.clear();
                behind = true;
            } else {
                waiting.add(frame);
            }
            stream = toSignal();
        }
        signal(stream);
    }

    /** Sends a comment if it is time. */
    void beat(long now, long interval) {
        FluxSink<FeedClient> stream;
        synchronized (this) {
            if (sink == null || now - beatAt < interval) {
                return;
            }
            beatAt = now;
            beat = true;
            stream = toSignal();
        }
        signal(stream);
    }

    /** Sends what waits and a time to come back, and completes the stream. */
    void end() {
        FluxSink<FeedClient> stream;
        FluxSink<FeedClient> signalled;
        synchronized (this) {
            ending = true;
            stream = sink;
            signalled = toSignal();
        }
        signal(signalled);
        if (stream != null) {
            stream.complete();
        }
    }

    synchronized boolean isStalled(long now, long limit) {
        return signalled && now - signalledAt > limit;
    }

    /** Closes the connection, whatever is still to be sent. */
    void close() {
        if (ServerHttpResponseDecorator.getNativeResponse(response) instanceof HttpServerResponse http) {
            http.withConnection(Connection::dispose);
        }
    }

    /**
     * Whether the connection has ended. The stream is cancelled then, but of twenty thousand that came and went a dozen, who
     * left while their stream was beginning, were not.
     */
    boolean isGone() {
        var gone = new AtomicBoolean();
        if (ServerHttpResponseDecorator.getNativeResponse(response) instanceof HttpServerResponse http) {
            http.withConnection(connection -> gone.set(!connection.channel().isActive()));
        }
        return gone.get();
    }

    /** Counts it out, the first time this is called. */
    void leave() {
        if (left.compareAndSet(false, true)) {
            leaving.accept(this);
        }
    }

    /** Marks that something waits; the stream to tell of it, unless it knows already. Call it where that is added. */
    private @Nullable FluxSink<FeedClient> toSignal() {
        if (sink == null || signalled) {
            return null;
        }
        signalled = true;
        signalledAt = System.nanoTime();
        return sink;
    }

    private void signal(@Nullable FluxSink<FeedClient> stream) {
        if (stream != null) {
            stream.next(this);
        }
    }

    private synchronized byte[] take() {
        signalled = false;
        List<byte[]> parts = new ArrayList<>(waiting.size() + 3);
        if (!greeted || ending) {
            greeted = true;
            parts.add(Frame.retry(retry));
        }
        if (behind) {
            behind = false;
            Frame snapshot = watched.snapshot();
            seen = snapshot.number();
            parts.add(snapshot.bytes());
            streams.sent(1);
        } else {
            waiting.forEach(frame -> parts.add(frame.bytes()));
            streams.sent(waiting.size());
        }
        waiting.clear();
        if (beat) {
            beat = false;
            parts.add(Frame.COMMENT);
        }
        return parts.size() == 1 ? parts.getFirst() : joined(parts);
    }

    private static byte[] joined(List<byte[]> parts) {
        var bytes = new ByteArrayOutputStream(
                parts.stream().mapToInt(part -> part.length).sum());
        parts.forEach(bytes::writeBytes);
        return bytes.toByteArray();
    }
}
