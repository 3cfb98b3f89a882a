package dev.daybreak.platform.batch;

import java.time.Duration;
import org.springframework.util.Assert;

/**
 * What a {@link Batcher} may take on.
 *
 * @param lanes batches under way at most
 * @param size requests in a batch at most
 * @param queueCapacity requests without an answer at most; the next is refused at once
 * @param patience how long a lane that has just had a large batch waits for the next to become half as large
 */
public record BatchLimits(int lanes, int size, int queueCapacity, Duration patience) {

    public BatchLimits {
        Assert.isTrue(lanes >= 1 && lanes <= 64, "a batcher has 1 to 64 lanes, not " + lanes);
        Assert.isTrue(size >= 1 && size <= 1024, "a batch has 1 to 1024 requests, not " + size);
        Assert.isTrue(queueCapacity >= 1, "the queue of a batcher has at least one place, not " + queueCapacity);
        Assert.isTrue(
                !patience.isNegative() && patience.toMillis() <= 100,
                "a lane waits 0 to 100 ms for a batch to fill, not " + patience);
    }

    /** The same for work whose batches would wait for each other's locks whatever lane they are in. */
    public BatchLimits inOneLane() {
        return new BatchLimits(1, size, queueCapacity, patience);
    }
}
