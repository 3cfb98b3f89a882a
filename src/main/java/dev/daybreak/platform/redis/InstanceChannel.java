package dev.daybreak.platform.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.reactive.ChannelMessage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveRedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializationContext;
import org.springframework.data.redis.serializer.RedisSerializationContext.SerializationPair;
import org.springframework.data.redis.serializer.RedisSerializer;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.FluxSink.OverflowStrategy;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Tells the other instances what changed here, and this one what changed there, by Redis pub/sub: one channel, one
 * subscription an instance. Messages may be lost; whoever needs to be sure compares with the database.
 *
 * <p>What is to be told within the same 20 ms leaves as one message, a few dozen a second in the worst rush. What Redis does
 * not take is dropped, and so is what arrives faster than it is read, except for the latest.
 *
 * <p>After a reconnect a subscription may stay silent without an error. So each instance sends itself a sign of life, and
 * subscribes anew when it has not heard three of them.
 */
public abstract class InstanceChannel implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(InstanceChannel.class);

    private static final long GATHER_MILLIS = 20;
    private static final int MAX_SENDING = 8;
    private static final int MISSED_SIGNS = 3;
    private static final int BUFFER = 64;
    private static final RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.ASCII, ByteArrayCodec.INSTANCE);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(1);
    /** An empty list, which instances of every release can read. */
    private static final byte[] SIGN_OF_LIFE = {'[', ']'};

    private final String channel;
    private final byte[] sender = (UUID.randomUUID() + "\n").getBytes(StandardCharsets.US_ASCII);
    private final ReactiveRedisTemplate<String, ByteBuffer> redis;
    private final LettuceConnectionFactory connections;
    private final RedisCircuit circuit;
    private final Duration canary;

    private final AtomicBoolean flushing = new AtomicBoolean();
    private final AtomicInteger sending = new AtomicInteger();

    private volatile @Nullable Scheduler scheduler;
    private volatile long heardAt;
    private @Nullable StatefulRedisPubSubConnection<String, byte[]> connection;
    private Disposable subscription = Disposables.disposed();
    private boolean silent;

    /** @param canary from one sign of life to the next */
    protected InstanceChannel(
            String channel, LettuceConnectionFactory connections, RedisCircuit circuit, Duration canary) {
        this.channel = channel;
        this.circuit = circuit;
        this.connections = connections;
        this.redis = new ReactiveRedisTemplate<>(
                connections,
                RedisSerializationContext.<String, ByteBuffer>newSerializationContext(RedisSerializer.string())
                        .value(SerializationPair.byteBuffer())
                        .build());
        this.canary = canary;
    }

    /** What there is to tell by now, a JSON array; null if there is nothing. Called on the channel's thread. */
    protected abstract byte @Nullable [] gathered();

    /** Takes what another instance told, on the channel's thread. A runtime exception means that it cannot be read. */
    protected abstract void receive(byte[] message);

    /** Says that there is something to tell; it is asked for within 20 ms. Returns at once. */
    protected final void wake() {
        Scheduler running = scheduler;
        if (running != null && flushing.compareAndSet(false, true)) {
            running.schedule(this::flush, GATHER_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public final void start() {
        // A thread that may wait, as opening a connection does.
        Scheduler own = Schedulers.newBoundedElastic(1, Integer.MAX_VALUE, channel.replace(':', '-'), 60, true);
        scheduler = own;
        flushing.set(false); // by a stop, what was to come may not have
        own.schedulePeriodically(this::tick, 0, canary.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public final void stop() {
        Scheduler own = scheduler;
        scheduler = null;
        if (own != null) {
            own.schedule(this::unsubscribe);
            var unused = own.disposeGracefully()
                    .timeout(STOP_PATIENCE)
                    .onErrorComplete()
                    .toFuture();
        }
    }

    @Override
    public final boolean isRunning() {
        return scheduler != null;
    }

    /** Subscribed before the web server takes requests, and until it has ended them. */
    @Override
    public final int getPhase() {
        return 0;
    }

    private void flush() {
        flushing.set(false);
        byte[] message = gathered();
        if (message != null) {
            send(message);
        }
    }

    private void send(byte[] message) {
        if (sending.incrementAndGet() > MAX_SENDING) {
            sending.decrementAndGet();
            return;
        }
        var unused = circuit.call(Mono.defer(() -> redis.convertAndSend(channel, signed(message))))
                .onErrorReturn(0L)
                .doFinally(end -> sending.decrementAndGet())
                .toFuture();
    }

    private ByteBuffer signed(byte[] message) {
        return ByteBuffer.allocate(sender.length + message.length)
                .put(sender)
                .put(message)
                .flip();
    }

    private void tick() {
        long now = System.nanoTime();
        if (connection == null || now - heardAt > canary.toNanos() * MISSED_SIGNS) {
            unsubscribe();
            subscribe(now);
        }
        send(SIGN_OF_LIFE);
    }

    // Not by Spring's template: it takes the connection from a pool, to which one that does not answer never returns.
    private void subscribe(long now) {
        Scheduler own = scheduler;
        if (own == null) {
            return;
        }
        try {
            StatefulRedisPubSubConnection<String, byte[]> opened = connect();
            connection = opened;
            heardAt = now;
            subscription = opened.reactive()
                    .observeChannels(OverflowStrategy.LATEST)
                    .map(ChannelMessage::getMessage)
                    .publishOn(own, BUFFER)
                    .subscribe(this::hear, this::lost);
            opened.async().subscribe(channel);
        } catch (RuntimeException e) {
            lost(e);
        }
    }

    private StatefulRedisPubSubConnection<String, byte[]> connect() {
        AbstractRedisClient client = connections.getRequiredNativeClient();
        return client instanceof RedisClusterClient cluster
                ? cluster.connectPubSub(CODEC)
                : ((RedisClient) client).connectPubSub(CODEC);
    }

    private void unsubscribe() {
        StatefulRedisPubSubConnection<String, byte[]> old = connection;
        connection = null;
        subscription.dispose();
        if (old != null) {
            old.closeAsync();
        }
    }

    private void hear(byte[] message) {
        heardAt = System.nanoTime();
        if (silent) {
            silent = false;
            LOG.info("Changes of other instances arrive again on {}", channel);
        }
        if (isOwn(message)) {
            return;
        }
        try {
            receive(body(message));
        } catch (RuntimeException e) {
            LOG.warn("A message on {} cannot be read: {}", channel, e.toString());
        }
    }

    private boolean isOwn(byte[] message) {
        return message.length >= sender.length && Arrays.equals(message, 0, sender.length, sender, 0, sender.length);
    }

    /** What follows the line that names the sender. */
    private static byte[] body(byte[] message) {
        int begin = 0;
        while (message[begin++] != '\n') {
            // The sender's name.
        }
        return Arrays.copyOfRange(message, begin, message.length);
    }

    // The next tick subscribes anew.
    private void lost(Throwable failure) {
        if (!silent) {
            silent = true;
            LOG.warn(
                    "Changes of other instances do not arrive on {}, they show after some seconds: {}",
                    channel,
                    failure.toString());
        }
    }
}
