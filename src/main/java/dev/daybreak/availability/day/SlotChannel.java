package dev.daybreak.availability.day;

import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.schedule.Slot;
import dev.daybreak.schedule.SlotChanged;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.reactive.ChannelMessage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
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
 * Tells the other instances of changed slots, and this one of theirs, by Redis pub/sub: one channel, one subscription an
 * instance. Messages may be lost; whoever needs to be sure compares with the database.
 *
 * <p>Changes of the same 20 ms leave as one message with the newest state of each slot, a few dozen messages a second in the
 * worst rush. What Redis does not take is dropped, and so is what arrives faster than it is read, except for the latest.
 *
 * <p>After a reconnect a subscription may stay silent without an error. So each instance sends itself a sign of life, and
 * subscribes anew when it has not heard three of them.
 */
public final class SlotChannel implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(SlotChannel.class);

    static final String CHANNEL = "daybreak:slots";
    private static final long GATHER_MILLIS = 20;
    private static final int MAX_PENDING = 50_000;
    private static final int MAX_SENDING = 8;
    private static final int MISSED_SIGNS = 3;
    private static final int BUFFER = 64;
    private static final RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.ASCII, ByteArrayCodec.INSTANCE);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(1);

    private final String name = UUID.randomUUID().toString();
    private final ReactiveRedisTemplate<String, ByteBuffer> redis;
    private final LettuceConnectionFactory connections;
    private final RedisCircuit circuit;
    private final ApplicationEventPublisher events;
    private final Duration canary;

    private final Map<Long, Slot> pending = new ConcurrentHashMap<>();
    private final AtomicBoolean flushing = new AtomicBoolean();
    private final AtomicInteger sending = new AtomicInteger();

    private volatile @Nullable Scheduler scheduler;
    private volatile long heardAt;
    private @Nullable StatefulRedisPubSubConnection<String, byte[]> connection;
    private Disposable subscription = Disposables.disposed();
    private boolean silent;

    /** @param canary from one sign of life to the next */
    public SlotChannel(
            LettuceConnectionFactory connections,
            RedisCircuit circuit,
            ApplicationEventPublisher events,
            Duration canary) {
        this.circuit = circuit;
        this.connections = connections;
        this.redis = new ReactiveRedisTemplate<>(
                connections,
                RedisSerializationContext.<String, ByteBuffer>newSerializationContext(RedisSerializer.string())
                        .value(SerializationPair.byteBuffer())
                        .build());
        this.events = events;
        this.canary = canary;
    }

    @EventListener
    void on(SlotChanged changed) {
        Slot slot = changed.slot();
        if (pending.size() < MAX_PENDING) {
            pending.merge(slot.id(), slot, (one, other) -> one.version() < other.version() ? other : one);
        }
        Scheduler running = scheduler;
        if (running != null && flushing.compareAndSet(false, true)) {
            running.schedule(this::flush, GATHER_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void start() {
        // A thread that may wait, as opening a connection does.
        Scheduler own = Schedulers.newBoundedElastic(1, Integer.MAX_VALUE, "slot-channel", 60, true);
        scheduler = own;
        own.schedulePeriodically(this::tick, 0, canary.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void stop() {
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
    public boolean isRunning() {
        return scheduler != null;
    }

    /** Subscribed before the web server takes requests, and until it has ended them. */
    @Override
    public int getPhase() {
        return 0;
    }

    private void flush() {
        flushing.set(false);
        List<Slot> slots = new ArrayList<>();
        for (Long id : pending.keySet()) {
            Slot slot = pending.remove(id);
            if (slot != null) {
                slots.add(slot);
            }
        }
        if (!slots.isEmpty()) {
            send(slots);
        }
    }

    private void send(List<Slot> slots) {
        if (sending.incrementAndGet() > MAX_SENDING) {
            sending.decrementAndGet();
            return;
        }
        var unused = circuit.call(Mono.defer(() -> redis.convertAndSend(CHANNEL, SlotMessage.write(name, slots))))
                .onErrorReturn(0L)
                .doFinally(end -> sending.decrementAndGet())
                .toFuture();
    }

    private void tick() {
        long now = System.nanoTime();
        if (connection == null || now - heardAt > canary.toNanos() * MISSED_SIGNS) {
            unsubscribe();
            subscribe(now);
        }
        send(List.of());
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
                    .subscribe(this::receive, this::lost);
            opened.async().subscribe(CHANNEL);
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

    private void receive(byte[] message) {
        heardAt = System.nanoTime();
        if (silent) {
            silent = false;
            LOG.info("Changes of other instances arrive again");
        }
        if (SlotMessage.isFrom(name, message)) {
            return;
        }
        try {
            SlotMessage.slots(message).forEach(slot -> events.publishEvent(new SlotChangedElsewhere(slot)));
        } catch (RuntimeException e) {
            LOG.warn("A message on {} cannot be read: {}", CHANNEL, e.toString());
        }
    }

    // The next tick subscribes anew.
    private void lost(Throwable failure) {
        if (!silent) {
            silent = true;
            LOG.warn("Changes of other instances do not arrive, they show after some seconds: {}", failure.toString());
        }
    }
}
