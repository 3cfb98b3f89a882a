package dev.daybreak.room;

import java.time.Duration;
import java.time.LocalTime;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * When rooms may be reserved, and how requests for them are served.
 *
 * @param daysAhead days after today on which a reservation may begin; 0 for today only
 * @param opens local time from which rooms may be used
 * @param closes local time until which they may; one that is not later than {@code opens} is on the next day, so that 00:00 to 00:00 is
 *     around the clock
 * @param grid reservations begin and end at whole multiples of it after midnight
 * @param longestStay the longest a reservation may be
 * @param longestWait how long a request waits for its turn at most, before it is refused with 503
 * @param queueCapacity requests that may wait, for all rooms together; the next is answered 503 at once
 * @param connections connections of the rooms' own; waiting for a room takes them alone
 * @param hashing passwords hashed or verified at once, each of which keeps a core busy; 0 for half of the cores
 * @param hashingQueue passwords that may wait for it; the next is answered 503 at once
 * @param hashStrength of bcrypt: one more takes twice the time
 * @param passwordAttempts wrong passwords allowed from one address within the window, and four times as many for one reservation or name
 * @param passwordWindow how long wrong passwords are counted together
 */
@ConfigurationProperties("daybreak.rooms")
public record RoomSettings(
        @DefaultValue("14") int daysAhead,
        @DefaultValue("00:00") LocalTime opens,
        @DefaultValue("00:00") LocalTime closes,
        @DefaultValue("15m") Duration grid,
        @DefaultValue("12h") Duration longestStay,
        @DefaultValue("10s") Duration longestWait,
        @DefaultValue("4096") int queueCapacity,
        @DefaultValue("4") int connections,
        @DefaultValue("0") int hashing,
        @DefaultValue("200") int hashingQueue,
        @DefaultValue("10") int hashStrength,
        @DefaultValue("5") int passwordAttempts,
        @DefaultValue("10m") Duration passwordWindow) {

    private static final Duration DAY = Duration.ofDays(1);

    public RoomSettings {
        Assert.isTrue(daysAhead >= 0 && daysAhead <= 365, "daybreak.rooms.days-ahead must be 0 to 365");
        Assert.isTrue(
                grid.toMinutes() >= 1 && DAY.toMillis() % grid.toMillis() == 0 && grid.toMillis() % 60_000 == 0,
                "daybreak.rooms.grid must be whole minutes that divide a day, such as 15m");
        Assert.isTrue(isOnGrid(opens, grid), "daybreak.rooms.opens must be a multiple of grid after midnight");
        Assert.isTrue(isOnGrid(closes, grid), "daybreak.rooms.closes must be a multiple of grid after midnight");
        Assert.isTrue(
                longestStay.compareTo(grid) >= 0 && longestStay.compareTo(Duration.ofDays(7)) <= 0,
                "daybreak.rooms.longest-stay must be from grid to 7d");
        Assert.isTrue(longestWait.toMillis() >= 1, "daybreak.rooms.longest-wait must be 1ms or more");
        Assert.isTrue(queueCapacity >= 1, "daybreak.rooms.queue-capacity must be positive");
        Assert.isTrue(connections >= 1, "daybreak.rooms.connections must be positive");
        Assert.isTrue(hashing >= 0, "daybreak.rooms.hashing must not be negative");
        Assert.isTrue(hashingQueue >= 1, "daybreak.rooms.hashing-queue must be positive");
        Assert.isTrue(hashStrength >= 4 && hashStrength <= 16, "daybreak.rooms.hash-strength must be 4 to 16");
        Assert.isTrue(
                passwordAttempts >= 1 && passwordAttempts <= 1_000_000,
                "daybreak.rooms.password-attempts must be 1 to 1,000,000");
        Assert.isTrue(passwordWindow.toMillis() >= 1, "daybreak.rooms.password-window must be 1ms or more");
    }

    /** Threads for passwords. */
    public int hashingThreads() {
        return hashing > 0 ? hashing : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    private static boolean isOnGrid(LocalTime time, Duration grid) {
        return time.toNanoOfDay() % grid.toNanos() == 0;
    }
}
