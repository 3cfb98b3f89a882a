package dev.daybreak.room.hold;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Holds of rooms.
 *
 * @param life how long a hold lasts after it was made or extended
 * @param cap how long it lasts at most after it was made, however often it is extended
 * @param atOnce holds of one client address at the same time
 * @param aDay holds of one room in 24 hours by one client address that did not become a reservation
 */
@ConfigurationProperties("daybreak.rooms.holds")
record RoomHoldSettings(
        @DefaultValue("5m") Duration life,
        @DefaultValue("15m") Duration cap,
        @DefaultValue("5") int atOnce,
        @DefaultValue("30") int aDay) {

    RoomHoldSettings {
        Assert.isTrue(life.toSeconds() >= 1, "daybreak.rooms.holds.life must be 1s or more");
        Assert.isTrue(
                cap.compareTo(life) >= 0,
                "daybreak.rooms.holds.cap must not be shorter than daybreak.rooms.holds.life");
        Assert.isTrue(atOnce >= 1, "daybreak.rooms.holds.at-once must be positive");
        Assert.isTrue(aDay >= 1, "daybreak.rooms.holds.a-day must be positive");
    }
}
