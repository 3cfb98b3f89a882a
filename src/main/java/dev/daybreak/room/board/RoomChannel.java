package dev.daybreak.room.board;

import dev.daybreak.platform.redis.InstanceChannel;
import dev.daybreak.platform.redis.RedisCircuit;
import dev.daybreak.room.ReservationChanged;
import dev.daybreak.room.TimeRange;
import dev.daybreak.room.hold.HoldChanged;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import tools.jackson.databind.json.JsonMapper;

/** Tells the other instances in which rooms, and about when, something changed, and this one the same of theirs; what it is they read. */
final class RoomChannel extends InstanceChannel {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int FIELDS = 3;

    private final ApplicationEventPublisher events;
    private final Map<Long, TimeRange> pending = new ConcurrentHashMap<>();

    RoomChannel(
            LettuceConnectionFactory connections,
            RedisCircuit circuit,
            ApplicationEventPublisher events,
            Duration canary) {
        super("daybreak:rooms", connections, circuit, canary);
        this.events = events;
    }

    @EventListener
    void on(ReservationChanged changed) {
        tell(changed.roomId(), changed.range());
    }

    @EventListener
    void on(HoldChanged changed) {
        tell(changed.roomId(), changed.range());
    }

    private void tell(long roomId, TimeRange range) {
        pending.merge(roomId, range, RoomChannel::together);
        wake();
    }

    private static TimeRange together(TimeRange one, TimeRange other) {
        return new TimeRange(
                one.start().isBefore(other.start()) ? one.start() : other.start(),
                one.end().isAfter(other.end()) ? one.end() : other.end());
    }

    @Override
    protected byte @Nullable [] gathered() {
        List<long[]> changes = new ArrayList<>();
        for (Long room : pending.keySet()) {
            TimeRange range = pending.remove(room);
            if (range != null) {
                changes.add(new long[] {
                    room, range.start().getEpochSecond(), range.end().getEpochSecond()
                });
            }
        }
        return changes.isEmpty() ? null : JSON.writeValueAsBytes(changes);
    }

    @Override
    protected void receive(byte[] message) {
        Arrays.stream(JSON.readValue(message, long[][].class)).forEach(this::publish);
    }

    private void publish(long[] fields) {
        // A later release may add fields at the end.
        if (fields.length < FIELDS) {
            throw new IllegalArgumentException("A change of " + fields.length + " fields");
        }
        var range = new TimeRange(Instant.ofEpochSecond(fields[1]), Instant.ofEpochSecond(fields[2]));
        events.publishEvent(new RoomChangedElsewhere(fields[0], range));
    }
}
