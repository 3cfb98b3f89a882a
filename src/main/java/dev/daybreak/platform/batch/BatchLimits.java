package dev.daybreak.platform.batch;

import org.springframework.util.Assert;

/**
 * What a {@link Batcher} may take on.
 *
 * @param lanes batches under way at most
 * @param size requests in a batch at most
 * @param queueCapacity requests without an answer at most; the next is refused at once
 */
public record BatchLimits(int lanes, int size, int queueCapacity) {

    public BatchLimits {
        Assert.isTrue(lanes >= 1 && lanes <= 64, "a batcher has 1 to 64 lanes, not " + lanes);
        Assert.isTrue(size >= 1 && size <= 1024, "a batch has 1 to 1024 requests, not " + size);
        Assert.isTrue(queueCapacity >= 1, "the queue of a batcher has at least one place, not " + queueCapacity);
    }

    /** The same for work whose batches would wait for each other's locks whatever lane they are in. */
    public BatchLimits inOneLane() {
        return new BatchLimits(1, size, queueCapacity);
    }
}
