package dev.daybreak.availability;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * How long slot lists are kept, and how many are loaded at a time.
 *
 * @param ttl how long a list stays in Redis at most; each lives up to a quarter shorter, so that they do not end together
 * @param copyTtl how long a list is served from the memory of an instance
 * @param maxCopies lists in the memory of an instance at most; a list of 40 slots takes about 25 KB
 * @param maxLoads lists being loaded by an instance at a time; one more is refused with 503
 */
@ConfigurationProperties("daybreak.lists")
record ListSettings(
        @DefaultValue("4s") Duration ttl,
        @DefaultValue("250ms") Duration copyTtl,
        @DefaultValue("2000") int maxCopies,
        @DefaultValue("256") int maxLoads) {

    ListSettings {
        Assert.isTrue(ttl.toMillis() >= 100, "daybreak.lists.ttl must be 100ms or more");
        Assert.isTrue(!copyTtl.isNegative(), "daybreak.lists.copy-ttl must not be negative");
        Assert.isTrue(
                copyTtl.compareTo(ttl) <= 0, "daybreak.lists.copy-ttl must not be longer than daybreak.lists.ttl");
        Assert.isTrue(maxCopies > 0, "daybreak.lists.max-copies must be positive");
        Assert.isTrue(maxLoads > 0, "daybreak.lists.max-loads must be positive");
    }
}
