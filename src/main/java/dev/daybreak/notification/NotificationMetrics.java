package dev.daybreak.notification;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Counts what becomes of messages, by channel. */
final class NotificationMetrics {

    private final Map<Channel, Map<Status, Counter>> counters;
    private final Map<Channel, AtomicLong> pending;

    NotificationMetrics(MeterRegistry meters) {
        this.counters = byChannel(channel -> Map.of(
                Status.SENT, counter(meters, channel, "sent", "Messages that the channel took over"),
                Status.FAILED, counter(meters, channel, "failed", "Messages given up after the last attempt"),
                Status.SKIPPED,
                        counter(meters, channel, "skipped", "Messages not sent, for the reason that staff see")));
        this.pending = byChannel(channel -> gauge(meters, channel));
    }

    void count(Channel channel, Status status, long messages) {
        Map<Status, Counter> ofChannel = counters.getOrDefault(channel, Map.of());
        Counter counter = ofChannel.get(status);
        if (counter != null) {
            counter.increment(messages);
        }
    }

    void pending(Channel channel, long messages) {
        AtomicLong value = pending.get(channel);
        if (value != null) {
            value.set(messages);
        }
    }

    private static Counter counter(MeterRegistry meters, Channel channel, String what, String description) {
        return Counter.builder("daybreak.notification." + what)
                .description(description)
                .baseUnit("messages")
                .tag("channel", channel.name().toLowerCase(java.util.Locale.ROOT))
                .register(meters);
    }

    private static AtomicLong gauge(MeterRegistry meters, Channel channel) {
        var value = new AtomicLong();
        Gauge.builder("daybreak.notification.pending", value, AtomicLong::doubleValue)
                .description("Messages that are due and not sent yet, looked up every few seconds")
                .baseUnit("messages")
                .tag("channel", channel.name().toLowerCase(java.util.Locale.ROOT))
                .register(meters);
        return value;
    }

    private static <T> Map<Channel, T> byChannel(Function<Channel, T> value) {
        return Arrays.stream(Channel.values()).collect(Collectors.toUnmodifiableMap(channel -> channel, value));
    }
}
