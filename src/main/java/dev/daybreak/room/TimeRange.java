package dev.daybreak.room;

import java.time.Duration;
import java.time.Instant;
import org.springframework.util.Assert;

/** From {@code start} until just before {@code end}, which is later. */
public record TimeRange(Instant start, Instant end) {

    public TimeRange {
        Assert.isTrue(start.isBefore(end), "a range of time ends after it starts");
    }

    /** Whether there is a moment that lies in both; ranges that touch have none. */
    public boolean overlaps(TimeRange other) {
        return start.isBefore(other.end) && other.start.isBefore(end);
    }

    public Duration length() {
        return Duration.between(start, end);
    }
}
