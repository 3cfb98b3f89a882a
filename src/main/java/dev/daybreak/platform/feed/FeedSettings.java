package dev.daybreak.platform.feed;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * The live feeds.
 *
 * @param maxSubscribers open streams of an instance; the next is answered 503
 * @param heartbeat a comment comes at least this often, so that both sides notice a dead connection
 * @param merge changes of what is watched within this time are sent as one event
 * @param check how often all that is watched is compared with the database
 * @param canary how often an instance tests its Redis subscription; it subscribes anew after three that failed
 * @param retry how long clients wait before they reconnect, at least; each is told up to twice as long
 * @param stall how long a client may leave what it was sent unread before its connection is closed
 */
@ConfigurationProperties("daybreak.feed")
public record FeedSettings(
        @DefaultValue("20000") int maxSubscribers,
        @DefaultValue("15s") Duration heartbeat,
        @DefaultValue("100ms") Duration merge,
        @DefaultValue("5s") Duration check,
        @DefaultValue("2s") Duration canary,
        @DefaultValue("2s") Duration retry,
        @DefaultValue("60s") Duration stall) {

    public FeedSettings {
        Assert.isTrue(maxSubscribers >= 0, "daybreak.feed.max-subscribers must not be negative");
        Assert.isTrue(heartbeat.toMillis() >= 100, "daybreak.feed.heartbeat must be 100ms or more");
        Assert.isTrue(!merge.isNegative(), "daybreak.feed.merge must not be negative");
        Assert.isTrue(check.toMillis() >= 100, "daybreak.feed.check must be 100ms or more");
        Assert.isTrue(canary.toMillis() >= 100, "daybreak.feed.canary must be 100ms or more");
        Assert.isTrue(retry.toMillis() >= 1, "daybreak.feed.retry must be 1ms or more");
        Assert.isTrue(
                stall.compareTo(heartbeat) >= 0,
                "daybreak.feed.stall must not be shorter than daybreak.feed.heartbeat");
    }
}
